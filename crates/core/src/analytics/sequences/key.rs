//! A sequence of words as one number.

use crate::analytics::words::{NO_WORD, Words};
use std::fmt::Debug;
use std::hash::Hash;

/// How sequences are packed: `n` words, the first in the highest bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Packing {
    /// Words in a sequence.
    pub(crate) n: usize,
    pub(crate) word_bits: u32,
    /// The number that marks a word left out by the view: no sequence contains it. [`NO_WORD`] if
    /// sequences skip such words.
    pub(crate) break_word: u32,
    /// The number of the first word; the numbers below are none.
    pub(crate) first_word: u32,
}

impl Packing {
    /// For words below `words`, without breaks.
    pub(crate) fn new(n: usize, words: usize) -> Self {
        let word_bits = (words.max(2) as u64).next_power_of_two().trailing_zeros();
        Self { n, word_bits, break_word: NO_WORD, first_word: 0 }
    }

    /// For sequences of words by rank. They skip words that the view leaves out (`gaps`) or end
    /// there.
    pub(crate) fn of_ranks(n: usize, words: &Words<'_>, gaps: bool) -> Self {
        Self::of_ranks_from(0, n, words, gaps)
    }

    /// For n-grams of up to `n` words. Those with fewer have the number 0 in the places of the words
    /// that they lack, so that all are ordered like lists of words.
    pub(crate) fn of_ngrams(n: usize, words: &Words<'_>, gaps: bool) -> Self {
        Self::of_ranks_from(1, n, words, gaps)
    }

    fn of_ranks_from(first_word: u32, n: usize, words: &Words<'_>, gaps: bool) -> Self {
        let end = words.len() + first_word as usize;
        match words.leaves_words_out() && !gaps {
            true => Self { break_word: end as u32, first_word, ..Self::new(n, end + 1) },
            false => Self { first_word, ..Self::new(n, end) },
        }
    }

    /// How many words follow each other without a break, after one more word.
    #[inline(always)]
    pub(crate) fn unbroken(&self, before: usize, word: u32) -> usize {
        if word == self.break_word { 0 } else { before + 1 }
    }

    /// Bits of a key.
    pub(crate) fn bits(&self) -> u64 {
        self.n as u64 * u64::from(self.word_bits)
    }
}

/// A packed sequence. Keys are ordered like their words, first to last.
pub(crate) trait Key: Clone + Ord + Hash + Debug + Send + Sync + 'static {
    /// Whether a key needs no memory beside itself.
    fn fits_inline() -> bool {
        true
    }
    /// Whether keys of this packing fit.
    fn fits(packing: &Packing) -> bool;
    /// The key of no words.
    fn empty(packing: &Packing) -> Self;
    /// The key after one more word; the first of `n` words drops out.
    fn roll(&self, word: u32, packing: &Packing) -> Self;
    /// The word at a place in the sequence.
    fn word(&self, place: usize, packing: &Packing) -> u32;
    /// `bits` bits from `shift` on, for a radix sort; `None` if keys are sorted by comparison.
    fn digit(&self, shift: u32, bits: u32) -> Option<u32>;
    /// The key of a shorter packing with 0 in the places that are left.
    fn pad(&self, of: &Packing, to: &Packing) -> Self {
        let words = (0..of.n).map(|place| self.word(place, of));
        let places = words.chain(std::iter::repeat_n(0, to.n - of.n));
        places.fold(Self::empty(to), |key, word| key.roll(word, to))
    }
    /// How many of the lowest bits contain all differences to `other`; 0 for keys sorted by
    /// comparison.
    fn differing_bits(&self, other: &Self) -> u32;
}

macro_rules! integer_key {
    ($integer:ty) => {
        impl Key for $integer {
            fn fits(packing: &Packing) -> bool {
                packing.bits() <= u64::from(Self::BITS)
            }

            fn empty(_: &Packing) -> Self {
                0
            }

            #[inline(always)]
            fn roll(&self, word: u32, packing: &Packing) -> Self {
                let words = *self << packing.word_bits | Self::from(word);
                words & (Self::MAX >> (Self::BITS - packing.bits() as u32))
            }

            #[inline(always)]
            fn word(&self, place: usize, packing: &Packing) -> u32 {
                let shift = (packing.n - 1 - place) as u32 * packing.word_bits;
                (*self >> shift) as u32 & (u32::MAX >> (32 - packing.word_bits))
            }

            #[inline(always)]
            fn digit(&self, shift: u32, bits: u32) -> Option<u32> {
                Some((*self >> shift) as u32 & ((1 << bits) - 1))
            }

            fn differing_bits(&self, other: &Self) -> u32 {
                Self::BITS - (self ^ other).leading_zeros()
            }
        }
    };
}

integer_key!(u64);
integer_key!(u128);

/// A sequence too long for a number: its words.
pub(crate) type Wide = Box<[u32]>;

impl Key for Wide {
    fn fits_inline() -> bool {
        false
    }

    fn fits(_: &Packing) -> bool {
        true
    }

    fn empty(packing: &Packing) -> Self {
        vec![0; packing.n].into()
    }

    fn roll(&self, word: u32, _: &Packing) -> Self {
        self[1..].iter().copied().chain([word]).collect()
    }

    fn word(&self, place: usize, _: &Packing) -> u32 {
        self[place]
    }

    fn digit(&self, _: u32, _: u32) -> Option<u32> {
        None
    }

    fn differing_bits(&self, _: &Self) -> u32 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check<K: Key>(a: &[u32], b: &[u32], packing: &Packing) {
        let n = packing.n;
        let pack = |words: &[u32]| {
            words.iter().fold(K::empty(packing), |key, &word| key.roll(word, packing))
        };
        let (a_key, b_key) = (pack(a), pack(b));
        let (a, b) = (&a[a.len() - n..], &b[b.len() - n..]);
        assert_eq!(a_key.cmp(&b_key), a.cmp(b));
        assert_eq!((0..n).map(|at| a_key.word(at, packing)).collect::<Vec<_>>(), a);
    }

    proptest! {
        #[test]
        fn keys_sort_like_their_words(
            words in 1usize..3000,
            n in 1usize..6,
            a in proptest::collection::vec(any::<u32>(), 6),
            b in proptest::collection::vec(any::<u32>(), 6),
        ) {
            let packing = Packing::new(n, words);
            let [a, b] = [a, b].map(|all| {
                all.into_iter().map(|word| word % words as u32).collect::<Vec<_>>()
            });
            check::<Wide>(&a, &b, &packing);
            check::<u128>(&a, &b, &packing);
            if u64::fits(&packing) {
                check::<u64>(&a, &b, &packing);
            }
        }
    }
}
