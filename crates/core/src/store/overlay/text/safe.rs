//! Safe places: where a text can be cut without cutting a word, whatever is inserted there.

use crate::access::words_of;
use crate::token::{MAX_WORD, Splitter, TokenClass};

/// Whether the place after these bytes is safe: they end with a complete character that is not part of
/// a longer word. This does not depend on the text before and after, so no word ever crosses the place.
#[must_use]
pub fn is_safe_after(bytes: &[u8]) -> bool {
    let Some(&last) = bytes.last() else { return false };
    if last < 0x80 {
        return !last.is_ascii_alphanumeric();
    }
    // The last character, if it is valid and has several bytes; its first byte belongs to no other.
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

/// The longest text in which the characters around an offset show whether a word begins there. A longer
/// text may have a word that was cut because of its length.
pub(in crate::store) const MOST_LOCAL: usize = MAX_WORD;

/// Whether `word`, whose bytes are at `at`, is a word there.
pub(in crate::store) fn is_word_at(text: &[u8], at: usize, word: &[u8]) -> bool {
    // A character has at most four bytes.
    let start = at.saturating_sub(4);
    let end = text.len().min(at + word.len() + 4);
    words_of(&text[start..end], true)
        .into_iter()
        .any(|(place, found)| start + place == at && found == word)
}
