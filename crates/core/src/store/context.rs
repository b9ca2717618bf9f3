//! The words around a match.

use crate::access::{Match, words_of};
use crate::error::AccessError;
use crate::store::{State, Store};

/// Bytes read per word at first; doubled while that is not enough.
const BYTES_A_WORD: u64 = 16;

impl Store {
    /// The text of up to `words` words before a match, of the match, and of as many words after it,
    /// with the separators between them.
    ///
    /// # Errors
    /// When there is no such document or place, or a section is damaged.
    pub fn context(
        &self,
        document: usize,
        found: Match,
        words: usize,
    ) -> Result<[Vec<u8>; 3], AccessError> {
        context(&self.read(), document, found, words)
    }
}

/// The text before, of and after a match.
pub(in crate::store) fn context(
    state: &State,
    document: usize,
    found: Match,
    words: usize,
) -> Result<[Vec<u8>; 3], AccessError> {
    let end = found.offset.saturating_add(found.len as u64);
    Ok([
        before(state, document, found.offset, words)?,
        state.extract(document, found.offset, found.len)?,
        after(state, document, end, words)?,
    ])
}

/// Bytes read first for this many words.
fn first_window(words: usize) -> u64 {
    BYTES_A_WORD.saturating_mul((words as u64).saturating_add(1))
}

fn before(
    state: &State,
    document: usize,
    offset: u64,
    words: usize,
) -> Result<Vec<u8>, AccessError> {
    let mut window = first_window(words);
    loop {
        let start = offset.saturating_sub(window);
        let mut text = state.extract(document, start, (offset - start) as usize)?;
        let found = words_of(&text, true);
        // The first word may begin before the window.
        let sure = &found[usize::from(start > 0).min(found.len())..];
        if start == 0 || sure.len() >= words {
            let first = sure[sure.len() - words.min(sure.len())..].first();
            let from = match first {
                _ if words == 0 => text.len(),
                Some((at, _)) if sure.len() > words || start > 0 => *at,
                _ => 0,
            };
            return Ok(text.split_off(from));
        }
        window = window.saturating_mul(2);
    }
}

fn after(
    state: &State,
    document: usize,
    offset: u64,
    words: usize,
) -> Result<Vec<u8>, AccessError> {
    let rest = state.size(document)?.saturating_sub(offset);
    let mut window = first_window(words);
    loop {
        let is_all = window >= rest;
        let mut text = state.extract(document, offset, window.min(rest) as usize)?;
        let found = words_of(&text, is_all);
        if is_all || found.len() >= words {
            let last = words.checked_sub(1).map(|at| found.get(at));
            let end = match last {
                None => 0,
                Some(Some((at, word))) => at + word.len(),
                Some(None) => text.len(),
            };
            text.truncate(end);
            return Ok(text);
        }
        window = window.saturating_mul(2);
    }
}
