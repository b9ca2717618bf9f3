//! The symbols of nodes in as few bits as they need, as in `kernels/shared/packed_symbols.wgsl`. The host
//! packs them, and twins read them.

use std::ops::Range;

/// The bits of the largest symbol below `end`.
pub(crate) fn bits_for(end: u32) -> u32 {
    (u32::BITS - end.saturating_sub(1).leading_zeros()).max(1)
}

/// Packs symbols of `bits` bits.
pub(crate) fn pack(symbols: &[u32], bits: u32) -> Vec<u32> {
    let mut words = Vec::with_capacity(words_of(&(0..symbols.len()), bits).end);
    let (mut pending, mut count) = (0u64, 0);
    for &symbol in symbols {
        pending |= u64::from(symbol) << count;
        count += bits;
        if count >= u32::BITS {
            words.push(pending as u32);
            pending >>= u32::BITS;
            count -= u32::BITS;
        }
    }
    if count > 0 {
        words.push(pending as u32);
    }
    words
}

/// The words that hold some symbols. The first symbol must be a multiple of 32.
pub(crate) fn words_of(symbols: &Range<usize>, bits: u32) -> Range<usize> {
    let bits = bits as usize;
    let whole = |at: usize| at / 32 * bits;
    whole(symbols.start)..whole(symbols.end) + (symbols.end % 32 * bits).div_ceil(32)
}

/// The symbols that are bound to a twin.
#[derive(Clone, Copy)]
pub(crate) struct Packed<'a> {
    pub(crate) words: &'a [u32],
    pub(crate) bits: u32,
    /// The first symbol that is bound.
    pub(crate) base: u32,
}

impl Packed<'_> {
    /// The symbol at a position among all symbols.
    pub(crate) fn symbol_at(&self, at: u32) -> u32 {
        let bit = u64::from(at - self.base) * u64::from(self.bits);
        let (word, shift) = ((bit / 32) as usize, bit % 32);
        let next = self.words.get(word + 1).copied().unwrap_or(0);
        let both = u64::from(self.words[word]) | u64::from(next) << 32;
        (both >> shift) as u32 & u32::MAX >> (32 - self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_come_back(
            symbols in proptest::collection::vec(any::<u32>(), 0..200),
            bits in 1u32..=32,
        ) {
            let symbols: Vec<u32> = symbols.iter().map(|symbol| symbol >> (32 - bits)).collect();
            let words = pack(&symbols, bits);
            prop_assert_eq!(words.len(), (symbols.len() * bits as usize).div_ceil(32));
            for base in (0..symbols.len()).step_by(32) {
                let seen = words_of(&(base..symbols.len()), bits);
                let packed = Packed { words: &words[seen], bits, base: base as u32 };
                let back: Vec<u32> =
                    (base..symbols.len()).map(|at| packed.symbol_at(at as u32)).collect();
                prop_assert_eq!(&back, &symbols[base..]);
            }
        }
    }

    #[test]
    fn bits_are_as_few_as_can_be() {
        assert_eq!([0, 1, 2, 3, 256, 257, u32::MAX].map(bits_for), [1, 1, 1, 2, 8, 9, 32]);
    }
}
