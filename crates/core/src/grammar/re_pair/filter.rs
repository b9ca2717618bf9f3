//! A small filter that rules out most pairs that are not in a large set.

use super::count::Pair;

/// Bits per pair. Two of them are set, so one pair in seventy is a false positive.
const BITS_A_PAIR: usize = 16;

/// Two bits of one word per pair, so that a test is one look-up, mostly in the cache.
pub(super) struct Filter {
    words: Vec<u64>,
    /// How far a hash is shifted to get an index in `words`.
    shift: u32,
}

impl Filter {
    pub(super) fn new(pairs: impl ExactSizeIterator<Item = Pair>) -> Self {
        let words = (pairs.len() * BITS_A_PAIR / 64).next_power_of_two().max(2);
        let mut filter = Self { words: vec![0; words], shift: 64 - words.ilog2() };
        for pair in pairs {
            let (word, bits) = filter.place(pair);
            filter.words[word] |= bits;
        }
        filter
    }

    /// False for most pairs that are not in the set.
    #[inline(always)]
    pub(super) fn may_have(&self, pair: Pair) -> bool {
        let (word, bits) = self.place(pair);
        self.words[word] & bits == bits
    }

    #[inline(always)]
    fn place(&self, pair: Pair) -> (usize, u64) {
        // One product is enough, because a false positive costs little.
        let hash = pair.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        // The bits below those that select the word.
        let below = hash >> (self.shift - 12);
        ((hash >> self.shift) as usize, 1 << (below & 63) | 1 << (below >> 6 & 63))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_in_it_is_never_denied(
            pairs in proptest::collection::vec(any::<u64>(), 0..500),
        ) {
            let filter = Filter::new(pairs.iter().copied());
            prop_assert!(pairs.iter().all(|&pair| filter.may_have(pair)));
        }
    }

    #[test]
    fn most_others_are() {
        let pair = |at: u32| u64::from(at * at) << 20;
        let filter = Filter::new((0..10_000).map(pair));
        let wrong = (0..10_000).filter(|&at| filter.may_have(pair(at) | 1)).count();
        assert!(wrong < 500, "{wrong}");
    }
}
