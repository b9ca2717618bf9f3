//! Safe places: where a text can be cut without cutting a word, whatever is put there.

use crate::access::words_of;
use crate::token::{MAX_WORD, Splitter, TokenClass};

/// Whether the place after these bytes is safe: they end with a whole character that is part of no
/// longer word. That holds whatever stands before and after them, so no word ever crosses the place.
#[must_use]
pub fn is_safe_after(bytes: &[u8]) -> bool {
    let Some(&last) = bytes.last() else { return false };
    if last < 0x80 {
        return !last.is_ascii_alphanumeric();
    }
    // The last character of several bytes, if it is valid; its first byte cannot be part of another.
    let start =
        (2..=4.min(bytes.len())).map(|len| bytes.len() - len).find(|&start| bytes[start] >= 0xC0);
    start.is_some_and(|start| {
        let mut safe = false;
        if std::str::from_utf8(&bytes[start..]).is_ok() {
            Splitter::default()
                .finish(&bytes[start..], |class, _| safe = class != TokenClass::Spaced);
        }
        safe
    })
}

/// The first safe place of `text` after `at` whose safety does not depend on anything before `at`.
pub(in crate::store) fn first_after(text: &[u8], at: usize) -> Option<usize> {
    (at + 1..=text.len()).find(|&end| is_safe_after(&text[at..end]))
}

/// The longest text in which the characters around a place tell whether a word begins there: in a
/// longer one there may be a word that was cut for its length.
pub(in crate::store) const MOST_LOCAL: usize = MAX_WORD;

/// Whether `word`, whose bytes stand at `at`, is a word there.
pub(in crate::store) fn is_word_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    // A character takes four bytes at most.
    let start = at.saturating_sub(4);
    let end = text.len().min(at + word.len() + 4);
    words_of(&text[start..end], true)
        .into_iter()
        .any(|(place, found)| start + place == at && found == word)
}
