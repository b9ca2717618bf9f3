//! The pairs that may become rules, and their counts from one round to the next.
//!
//! Replacing symbols by new ones only makes old pairs rarer. So it is enough to count all pairs once per
//! threshold: later rounds subtract the pairs that replacements broke and count the pairs with a new
//! symbol. That is a tenth of all pairs in a full round and almost none in the last ones.

use super::count::{Pair, PairTable};
use super::scatter::Scattered;
use rayon::prelude::*;

/// Pairs that occur often enough, with their counts.
pub(super) struct Candidates {
    threshold: u32,
    /// By partition. A count that fell below the threshold is zero.
    tables: Vec<PairTable>,
}

impl Candidates {
    /// All added pairs that occur at least `threshold` times.
    pub(super) fn new(scattered: &Scattered, threshold: u32) -> Self {
        let mut tables = Vec::new();
        tables.resize_with(scattered.partitions(), PairTable::default);
        let mut candidates = Self { threshold, tables };
        candidates.update(scattered, None);
        candidates
    }

    /// Every pair that still occurs often enough, in arbitrary order, and others with a count of zero.
    pub(super) fn iter(&self) -> impl Iterator<Item = (Pair, u32)> + Clone {
        self.tables.iter().flat_map(PairTable::iter)
    }

    /// Updates the counts after a round that replaced the most frequent pairs down to `last_taken`.
    pub(super) fn update(&mut self, scattered: &Scattered, last_taken: Option<(Pair, u32)>) {
        let threshold = self.threshold;
        self.tables.par_iter_mut().enumerate().for_each_init(
            PairTable::default,
            |counted, (partition, table)| {
                if !table.is_empty() {
                    if let Some((last, least)) = last_taken {
                        table.zero(|pair, count| count > least || count == least && pair <= last);
                    }
                    let lost = scattered.lost(partition).flatten();
                    lost.for_each(|&pair| table.lose(pair, threshold));
                }
                let fresh = scattered.fresh(partition);
                if fresh.clone().map(<[Pair]>::len).sum::<usize>() < threshold as usize {
                    return;
                }
                counted.clear();
                fresh.flatten().for_each(|&pair| counted.add(pair, 1, 1));
                let frequent = counted.iter().filter(|&(_, count)| count >= threshold);
                frequent.for_each(|(pair, count)| table.add(pair, count, threshold));
            },
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::replace::{HotPairs, replace_pairs};
    use super::super::{BREAK, Symbol};
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;

    const TOKENS: u32 = 6;

    fn frequency(chunks: &[Vec<Symbol>], symbols: usize) -> Vec<u32> {
        let mut frequency = vec![0; symbols];
        let plain = chunks.iter().flatten().filter(|&&symbol| symbol != BREAK);
        plain.for_each(|&symbol| frequency[symbol as usize] += 1);
        frequency
    }

    /// The most frequent first.
    fn in_order(candidates: &Candidates) -> Vec<(Pair, u32)> {
        let mut pairs: Vec<_> = candidates.iter().filter(|&(_, count)| count > 0).collect();
        pairs.sort_unstable_by_key(|&(pair, count)| (Reverse(count), pair));
        pairs
    }

    proptest! {
        #[test]
        fn counts_brought_up_to_date_are_as_counted_anew(
            texts in proptest::collection::vec(
                proptest::collection::vec(0..=TOKENS, 0..200), 1..4),
            threshold in 2u32..4,
            shares in proptest::collection::vec(1usize..9, 1..8),
        ) {
            let breaks = |symbol: u32| if symbol == TOKENS { BREAK } else { symbol };
            let mut chunks: Vec<Vec<Symbol>> =
                texts.into_iter().map(|text| text.into_iter().map(breaks).collect()).collect();
            let mut symbols = TOKENS as usize;
            let count = |chunks: &mut [Vec<Symbol>], symbols| {
                let mut scattered = Scattered::default();
                scattered.all(chunks, &frequency(chunks, symbols), threshold);
                Candidates::new(&scattered, threshold)
            };
            let mut candidates = count(&mut chunks, symbols);
            let mut scattered = Scattered::default();
            for share in shares {
                let mut hot = in_order(&candidates);
                hot.truncate(hot.len().div_ceil(share));
                if hot.is_empty() {
                    break;
                }
                let map = HotPairs::new(&hot, symbols as u32);
                scattered.changes(&mut chunks, |group, partitions| {
                    let mut made = vec![0; hot.len()];
                    for chunk in group {
                        replace_pairs(chunk, &map, &mut made, Some(partitions));
                    }
                });
                symbols += hot.len();
                candidates.update(&scattered, hot.last().copied());
                prop_assert_eq!(in_order(&candidates), in_order(&count(&mut chunks, symbols)));
            }
        }
    }
}
