//! A bound on the matches that the answers of a batch hold together.

use crate::access::{MOST_MATCHES, Match};
use crate::error::AccessError;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Matches reserved at a time: reserving one by one would make threads wait for each other.
const SHARE: usize = 256;

/// The number of matches that may still be held.
pub(in crate::store) struct Room(AtomicUsize);

impl Room {
    pub(in crate::store) fn new() -> Self {
        Self(AtomicUsize::new(MOST_MATCHES))
    }

    /// Collects what `search` finds, if there is room for all of it.
    pub(in crate::store) fn collect<T>(
        &self,
        mut keep: impl FnMut(T),
        search: impl FnOnce(
            &mut dyn FnMut(T) -> ControlFlow<()>,
        ) -> Result<ControlFlow<()>, AccessError>,
    ) -> Result<(), AccessError> {
        let mut share = 0;
        let flow = search(&mut |found| {
            if share == 0 {
                share = self.take_share();
            }
            if share == 0 {
                return ControlFlow::Break(());
            }
            share -= 1;
            keep(found);
            ControlFlow::Continue(())
        });
        self.0.fetch_add(share, Ordering::Relaxed);
        match flow? {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(AccessError::TooManyMatches { most: MOST_MATCHES }),
        }
    }

    fn take_share(&self) -> usize {
        let take = |left: usize| left.checked_sub(SHARE);
        match self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take) {
            Ok(_) => SHARE,
            Err(_) => 0,
        }
    }
}

/// Adds a match of the last document in the list, or of a later one.
pub(in crate::store) fn push(
    documents: &mut Vec<(usize, Vec<Match>)>,
    document: usize,
    place: Match,
) {
    match documents.last_mut() {
        Some((last, matches)) if *last == document => matches.push(place),
        _ => documents.push((document, vec![place])),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_is_bounded_over_all_searches() {
        let room = Room::new();
        let search = |count: usize| {
            let mut kept = 0;
            let done =
                room.collect(|()| kept += 1, |found| Ok((0..count).try_for_each(|_| found(()))));
            (kept, done.is_ok())
        };
        assert_eq!(search(MOST_MATCHES - 3 * SHARE), (MOST_MATCHES - 3 * SHARE, true));
        // A search gives back what it has not used.
        for _ in 0..1000 {
            assert_eq!(search(0), (0, true));
        }
        assert_eq!(search(SHARE), (SHARE, true));
        let (kept, is_whole) = search(3 * SHARE);
        assert!(kept <= 3 * SHARE && !is_whole);
        assert!(search(SHARE + 1).0 <= SHARE + 1);
    }
}
