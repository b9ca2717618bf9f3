//! Front coding: strings stored without the bytes they share with the previous string. Names of
//! documents and tokens of a dictionary use it.

/// At most this many bytes are shared, so that a few bytes cannot decode to very long strings.
pub(super) const MOST_SHARED: usize = 255;

/// Number of first bytes that `next` shares with `last`.
pub(super) fn shared(last: &[u8], next: &[u8]) -> usize {
    next.iter().zip(last).take(MOST_SHARED).take_while(|(a, b)| a == b).count()
}
