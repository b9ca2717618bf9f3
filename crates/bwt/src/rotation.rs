//! The least rotation of a text: where to cut a circle so that what follows sorts first.
//!
//! The transform sorts *rotations* (thesis, section 2.1), suffix sorters sort *suffixes*. The two
//! orders agree on a text that is its own least rotation: when a suffix ends while it still ties
//! with a longer one, the rotation continues with the beginning of the text, which is no greater than
//! any continuation of the longer suffix. So a block is turned to its least rotation, its suffixes
//! are sorted, and the text need not be doubled.

use memchr::memchr_iter;

/// Where the least of all rotations of `text` begins; the first such place. 0 for an empty text.
///
/// Two candidates are compared symbol by symbol. The one that loses is moved past everything that
/// was compared, so each symbol is visited a constant number of times, however long the ties are.
/// Only offsets of the least eight bytes are candidates; in a text they are few.
///
/// ```
/// assert_eq!(zgram_bwt::least_rotation(b"mississippi"), 10);
/// ```
#[must_use]
pub fn least_rotation(text: &[u8]) -> usize {
    let n = text.len();
    if n == 0 {
        return 0;
    }
    // Not `min()`, whose comparisons depend on each other.
    let smallest = text.iter().fold(u8::MAX, |least, &byte| least.min(byte));
    let at = |place: usize| text[if place < n { place } else { place - n }];
    // The bytes from an offset on, continuing at the beginning of the text.
    let eight = |place: usize| match text[place..].first_chunk::<8>() {
        Some(&eight) => u64::from_le_bytes(eight).swap_bytes(),
        None => (0..8).fold(0, |word, i| word << 8 | u64::from(text[(place + i) % n])),
    };
    let least = memchr_iter(smallest, text).map(eight).min().expect("the smallest byte occurs");
    let next = |from: usize| {
        let rest = text.get(from..).unwrap_or_default();
        let mut places = memchr_iter(smallest, rest).map(|ahead| from + ahead);
        places.find(|&place| eight(place) == least).unwrap_or(n)
    };
    let mut left = next(0);
    let mut right = next(left + 1);
    let mut tied = 1;
    while left < n && right < n && tied < n {
        let (a, b) = (at(left + tied), at(right + tied));
        if a == b {
            tied += 1;
            continue;
        }
        if a > b {
            left = next(left + tied + 1);
        } else {
            right = next(right + tied + 1);
        }
        if left == right {
            right = next(right + 1);
        }
        tied = 1;
    }
    left.min(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rotated(text: &[u8], by: usize) -> Vec<u8> {
        [&text[by..], &text[..by]].concat()
    }

    proptest! {
        #[test]
        fn no_rotation_is_less(text in proptest::collection::vec(0u8..3, 0..60)) {
            let least = rotated(&text, least_rotation(&text));
            prop_assert!((0..text.len()).all(|by| least <= rotated(&text, by)));
        }

        #[test]
        fn repeated_texts_too(unit in proptest::collection::vec(0u8..2, 1..8), times in 1usize..8) {
            let text = unit.repeat(times);
            let least = rotated(&text, least_rotation(&text));
            prop_assert!((0..text.len()).all(|by| least <= rotated(&text, by)));
        }
    }

    #[test]
    fn the_edges() {
        assert_eq!(least_rotation(b""), 0);
        assert_eq!(least_rotation(b"x"), 0);
        assert_eq!(least_rotation(b"aaaa"), 0);
        assert_eq!(least_rotation(b"baba"), 1);
    }
}
