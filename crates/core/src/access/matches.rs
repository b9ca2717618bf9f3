//! Lists of matches, which do not grow without bound.

use super::Match;
use crate::error::AccessError;
use std::ops::ControlFlow;

/// The most matches in one list, which takes 16 bytes per match. [`Access::search_each`](super::Access::search_each) has no such
/// bound.
pub(crate) const MOST_MATCHES: usize = 1 << 24;

/// Keeps a match, unless there are too many.
pub(crate) fn keep(matches: &mut Vec<Match>, found: Match) -> ControlFlow<()> {
    if matches.len() >= MOST_MATCHES {
        return ControlFlow::Break(());
    }
    matches.push(found);
    ControlFlow::Continue(())
}

/// Keeps a match of the last document in the list or of a later one, unless there are too many.
pub(crate) fn push_match(
    documents: &mut Vec<(usize, Vec<Match>)>,
    document: usize,
    found: Match,
    left: &mut usize,
) -> ControlFlow<()> {
    let Some(less) = left.checked_sub(1) else { return ControlFlow::Break(()) };
    *left = less;
    match documents.last_mut() {
        Some((last, matches)) if *last == document => matches.push(found),
        _ => documents.push((document, vec![found])),
    }
    ControlFlow::Continue(())
}

/// The error if a search broke for too many matches.
pub(crate) fn all_kept(flow: ControlFlow<()>) -> Result<(), AccessError> {
    match flow {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(AccessError::TooManyMatches { most: MOST_MATCHES }),
    }
}
