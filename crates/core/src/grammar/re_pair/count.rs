//! Pairs of neighbours, and tables of how often they occur.

use super::Symbol;

/// A pair as one number, left symbol in the upper half.
pub(super) type Pair = u64;

/// No pair: a break is never part of one.
const EMPTY: Pair = Pair::MAX;

pub(super) fn pair_of(left: Symbol, right: Symbol) -> Pair {
    u64::from(left) << 32 | u64::from(right)
}

pub(super) fn symbols_of(pair: Pair) -> (Symbol, Symbol) {
    ((pair >> 32) as Symbol, pair as Symbol)
}

pub(super) fn mix(pair: Pair) -> u64 {
    let product = u128::from(pair ^ 0x5851_F42D_4C95_7F2D) * 0x9E37_79B9_7F4A_7C15_u128;
    (product as u64) ^ (product >> 64) as u64
}

/// Counts of pairs in a table with linear probing. Counts and pairs are in separate arrays, so that a
/// scan of all counts reads little memory.
pub(super) struct PairTable {
    pairs: Vec<Pair>,
    counts: Vec<u32>,
    used: usize,
}

impl Default for PairTable {
    fn default() -> Self {
        Self::with_slots(1 << 4)
    }
}

impl PairTable {
    fn with_slots(slots: usize) -> Self {
        Self { pairs: vec![EMPTY; slots], counts: vec![0; slots], used: 0 }
    }

    /// Removes all pairs and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.pairs.fill(EMPTY);
        self.counts.fill(0);
        self.used = 0;
    }

    /// Adds to a pair's count. If the table is full, pairs with counts below `least` are removed first.
    #[inline]
    pub(super) fn add(&mut self, pair: Pair, count: u32, least: u32) {
        let mut at = self.find(pair);
        if self.pairs[at] == EMPTY {
            if self.used * 3 >= self.pairs.len() * 2 {
                self.rebuild(least);
                at = self.find(pair);
            }
            self.used += 1;
            self.pairs[at] = pair;
        }
        self.counts[at] += count;
    }

    /// Subtracts one from a pair's count, and sets it to zero if it falls below `least`. Pairs that are
    /// missing or at zero are unchanged.
    #[inline]
    pub(super) fn lose(&mut self, pair: Pair, least: u32) {
        let at = self.find(pair);
        let left = self.counts[at].saturating_sub(1);
        self.counts[at] = if left < least { 0 } else { left };
    }

    /// Sets the counts of all pairs to zero for which `is_gone` returns true.
    pub(super) fn zero(&mut self, is_gone: impl Fn(Pair, u32) -> bool) {
        for (&pair, count) in self.pairs.iter().zip(&mut self.counts) {
            if is_gone(pair, *count) {
                *count = 0;
            }
        }
    }

    /// All pairs with their counts, in arbitrary order, some with a count of zero.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pair, u32)> + Clone {
        self.pairs.iter().copied().zip(self.counts.iter().copied())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    #[inline]
    fn find(&self, pair: Pair) -> usize {
        let mask = self.pairs.len() - 1;
        // The top bits of the hash chose the partition; the low ones choose the slot.
        let mut at = mix(pair) as usize & mask;
        while self.pairs[at] != pair && self.pairs[at] != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn rebuild(&mut self, least: u32) {
        let kept = self.counts.iter().filter(|&&count| count >= least).count();
        let larger = Self::with_slots((2 * kept + 2).next_power_of_two().max(1 << 4));
        let old = std::mem::replace(self, larger);
        for (pair, count) in old.iter().filter(|&(pair, count)| pair != EMPTY && count >= least) {
            let at = self.find(pair);
            (self.pairs[at], self.counts[at]) = (pair, count);
            self.used += 1;
        }
    }
}
