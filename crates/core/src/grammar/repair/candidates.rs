//! The pairs that may become rules, from one round to the next.
//!
//! When symbols are replaced by new ones, old pairs only ever get rarer. So it is enough to count
//! all pairs once for each threshold: later rounds take away what their replacements broke up and
//! count the pairs that have a new symbol. That is a tenth of all pairs in a full round and next to
//! nothing in the last ones.

use super::count::{Pair, mix, symbols_of};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Pairs that occur often enough, with their counts.
pub(super) struct Candidates {
    threshold: u32,
    /// Pairs of unequal symbols by linear probing. A count may have fallen below the threshold.
    slots: Vec<(Pair, AtomicU32)>,
    used: usize,
    /// One bit for each hash: clear for most pairs that are not in the table.
    seen: Vec<u64>,
    /// Pairs of equal symbols. Their occurrences overlap (`aaa`), so these are counted anew each
    /// time.
    equal: Vec<(Pair, u32)>,
}

/// No pair.
const EMPTY: Pair = Pair::MAX;

/// Bits of `seen` for each slot.
const SEEN_BITS: usize = 8;

fn is_equal(pair: Pair) -> bool {
    let (left, right) = symbols_of(pair);
    left == right
}

impl Candidates {
    /// Begins with all pairs that occur `threshold` times or more.
    pub(super) fn new(counted: Vec<(Pair, u32)>, threshold: u32) -> Self {
        let mut candidates =
            Self { threshold, slots: Vec::new(), used: 0, seen: Vec::new(), equal: Vec::new() };
        candidates.add(counted);
        candidates
    }

    /// Every pair that still occurs often enough, in no order that means anything.
    pub(super) fn frequent(&self) -> impl Iterator<Item = (Pair, u32)> + Clone {
        let counts = self.slots.iter().map(|(pair, count)| (*pair, count.load(Relaxed)));
        let frequent = counts.filter(|&(_, count)| count >= self.threshold);
        frequent.chain(self.equal.iter().copied())
    }

    /// Takes out pairs that are about to be replaced everywhere.
    pub(super) fn take(&self, pairs: &[(Pair, u32)]) {
        for &(pair, _) in pairs {
            self.slots[self.find(pair)].1.store(0, Relaxed);
        }
    }

    /// Notes that a pair was broken up.
    #[inline]
    pub(super) fn lose(&self, pair: Pair) {
        if self.may_have(pair) {
            let (found, count) = &self.slots[self.find(pair)];
            // Pairs that were taken out are at zero; no other is broken up more often than it
            // occurs.
            if *found == pair && count.load(Relaxed) > 0 {
                count.fetch_sub(1, Relaxed);
            }
        }
    }

    /// Adds pairs that have a new symbol, and all pairs of equal symbols.
    pub(super) fn gain(&mut self, counted: Vec<(Pair, u32)>) {
        self.equal.clear();
        self.add(counted);
    }

    fn add(&mut self, counted: Vec<(Pair, u32)>) {
        self.reserve(counted.len());
        for (pair, count) in counted {
            if is_equal(pair) {
                self.equal.push((pair, count));
            } else {
                self.insert(pair, count);
            }
        }
    }

    fn insert(&mut self, pair: Pair, count: u32) {
        let at = self.find(pair);
        self.slots[at] = (pair, AtomicU32::new(count));
        self.used += 1;
        let (word, bit) = self.seen_at(mix(pair));
        self.seen[word] |= bit;
    }

    /// Makes room for `more` pairs, by leaving out those that do not count any more and by growing.
    fn reserve(&mut self, more: usize) {
        if (self.used + more) * 8 <= self.slots.len() * 7 && !self.slots.is_empty() {
            return;
        }
        let threshold = self.threshold;
        let mut old = std::mem::take(&mut self.slots);
        old.retain_mut(|(pair, count)| *pair != EMPTY && *count.get_mut() >= threshold);
        old.shrink_to_fit();
        let slots = (old.len() + more) * 3 / 2 + 2;
        self.slots.resize_with(slots, || (EMPTY, AtomicU32::new(0)));
        self.seen = vec![0; (slots * SEEN_BITS).div_ceil(64).next_power_of_two()];
        self.used = 0;
        old.into_iter().for_each(|(pair, count)| self.insert(pair, count.into_inner()));
    }

    fn find(&self, pair: Pair) -> usize {
        // The lower half of the hash as a share of all slots, so that there may be any number.
        let share = u64::from(mix(pair) as u32);
        let mut at = ((share * self.slots.len() as u64) >> 32) as usize;
        while self.slots[at].0 != pair && self.slots[at].0 != EMPTY {
            at = if at + 1 < self.slots.len() { at + 1 } else { 0 };
        }
        at
    }

    fn may_have(&self, pair: Pair) -> bool {
        let (word, bit) = self.seen_at(mix(pair));
        self.seen[word] & bit != 0
    }

    /// Where a hash has its bit. The upper half of the hash is not used for the slot.
    fn seen_at(&self, hash: u64) -> (usize, u64) {
        let bit = (hash >> 32) as usize & (self.seen.len() * 64 - 1);
        (bit / 64, 1 << (bit % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::super::count::PairCounter;
    use super::super::replace::{HotPairs, Noted, replace_pairs};
    use super::super::{BREAK, Symbol};
    use super::*;
    use proptest::prelude::*;

    const TOKENS: u32 = 6;

    fn frequency(chunks: &[Vec<Symbol>], symbols: usize) -> Vec<u32> {
        let mut frequency = vec![0; symbols];
        let plain = chunks.iter().flatten().filter(|&&symbol| symbol != BREAK);
        plain.for_each(|&symbol| frequency[symbol as usize] += 1);
        frequency
    }

    proptest! {
        #[test]
        fn counts_brought_up_to_date_are_as_counted_anew(
            texts in proptest::collection::vec(
                proptest::collection::vec(0..=TOKENS, 0..200), 1..4),
            threshold in 2u32..4,
            choices in proptest::collection::vec(proptest::collection::vec(any::<bool>(), 8), 1..8),
        ) {
            let breaks = |symbol: u32| if symbol == TOKENS { BREAK } else { symbol };
            let mut chunks: Vec<Vec<Symbol>> =
                texts.into_iter().map(|text| text.into_iter().map(breaks).collect()).collect();
            let mut counter = PairCounter::default();
            let mut symbols = TOKENS as usize;
            let counts = |chunks: &mut [Vec<Symbol>], symbols| {
                let frequency = frequency(chunks, symbols);
                let mut counted = PairCounter::default().count(chunks, &frequency, threshold);
                counted.sort_unstable();
                counted
            };
            let mut expected = counts(&mut chunks, symbols);
            let mut candidates = Candidates::new(expected.clone(), threshold);
            for choice in choices {
                let chosen = expected.iter().zip(choice.iter().cycle());
                let hot: Vec<(Pair, u32)> =
                    chosen.filter(|&(_, &take)| take).map(|(&pair, _)| pair).collect();
                if hot.is_empty() {
                    continue;
                }
                let map = HotPairs::new(&hot, symbols as u32);
                let made: Vec<AtomicU32> = hot.iter().map(|_| AtomicU32::new(0)).collect();
                candidates.take(&hot);
                counter.scatter(&mut chunks, 1 << 15, |chunk, partitions| {
                    let noted = Noted { candidates: &candidates, partitions };
                    replace_pairs(chunk, &map, &made, Some(noted));
                });
                symbols += hot.len();
                let frequency = frequency(&chunks, symbols);
                let (left, right) =
                    (|pair| (pair >> 32) as usize, |pair| pair as u32 as usize);
                candidates.gain(counter.frequent(threshold, |pair: Pair| {
                    frequency[left(pair)] >= threshold && frequency[right(pair)] >= threshold
                }));
                expected = counts(&mut chunks, symbols);
                let mut found: Vec<_> = candidates.frequent().collect();
                found.sort_unstable();
                prop_assert_eq!(&found, &expected);
            }
        }
    }
}
