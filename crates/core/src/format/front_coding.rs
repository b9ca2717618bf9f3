//! Strings by what they share with the one before: names of documents, tokens of a dictionary.

/// Longer common beginnings are written again: a few bytes must not stand for very long strings.
pub(super) const MOST_SHARED: usize = 255;

/// How many first bytes `next` takes over from `last`.
pub(super) fn shared(last: &[u8], next: &[u8]) -> usize {
    next.iter().zip(last).take(MOST_SHARED).take_while(|(a, b)| a == b).count()
}
