//! Exact counts of all frequent pairs, by partitions that fit the cache.

use super::{BREAK, Symbol};
use rayon::prelude::*;

/// Pairs are divided by hash so that a partition's table stays in the second-level cache.
const PARTITION_BITS: u32 = 9;
const PARTITIONS: usize = 1 << PARTITION_BITS;

/// A pair as one number, left symbol in the upper half.
pub(super) type Pair = u64;

pub(super) fn pair_of(left: Symbol, right: Symbol) -> Pair {
    u64::from(left) << 32 | u64::from(right)
}

pub(super) fn mix(pair: Pair) -> u64 {
    let product = u128::from(pair ^ 0x5851_F42D_4C95_7F2D) * 0x9E37_79B9_7F4A_7C15_u128;
    (product as u64) ^ (product >> 64) as u64
}

/// Counts pairs, round after round, in memory that is kept from one round to the next.
#[derive(Default)]
pub(super) struct PairCounter {
    /// By group of chunks and by partition: pairs that may be frequent.
    scattered: Vec<Vec<Vec<Pair>>>,
}

impl PairCounter {
    /// All pairs that occur at least `threshold` times, with their counts; overlapping occurrences
    /// of a pair of equal symbols count once.
    pub(super) fn count(
        &mut self,
        chunks: &[Vec<Symbol>],
        frequency: &[u32],
        threshold: u32,
    ) -> Vec<(Pair, u32)> {
        let groups = rayon::current_num_threads().max(1) * 2;
        let per_group = chunks.len().div_ceil(groups).max(1);
        self.scattered
            .resize_with(chunks.len().div_ceil(per_group), || vec![Vec::new(); PARTITIONS]);
        self.scattered
            .par_iter_mut()
            .zip(chunks.par_chunks(per_group))
            .for_each(|(partitions, group)| scatter(group, frequency, threshold, partitions));
        (0..PARTITIONS)
            .into_par_iter()
            .map_init(CountTable::default, |table, partition| {
                let lists = self.scattered.iter().map(|lists| &lists[partition][..]);
                table.frequent(lists, threshold)
            })
            .flatten_iter()
            .collect()
    }
}

/// Sorts the pairs of some chunks into partitions, leaving out pairs that cannot be frequent
/// because one of their symbols is not.
fn scatter(
    chunks: &[Vec<Symbol>],
    frequency: &[u32],
    threshold: u32,
    partitions: &mut [Vec<Pair>],
) {
    partitions.iter_mut().for_each(Vec::clear);
    for chunk in chunks {
        // Whether the pair before the current one was counted and is the same: then this one
        // overlaps it (`aaa`).
        let mut overlap: Option<Symbol> = None;
        let mut left = BREAK;
        let mut left_frequent = false;
        for &right in chunk {
            let right_frequent = right != BREAK && frequency[right as usize] >= threshold;
            if left_frequent && right_frequent {
                if left == right && overlap == Some(left) {
                    overlap = None;
                } else {
                    overlap = (left == right).then_some(left);
                    let pair = pair_of(left, right);
                    partitions[(mix(pair) >> (64 - PARTITION_BITS)) as usize].push(pair);
                }
            } else {
                overlap = None;
            }
            (left, left_frequent) = (right, right_frequent);
        }
    }
}

/// Pair counts by linear probing. It grows as distinct pairs come in and keeps its size for the next
/// partition, which is much like the last.
struct CountTable {
    slots: Vec<(Pair, u32)>,
    used: usize,
}

/// No pair: `BREAK` never stands in one.
const EMPTY: Pair = Pair::MAX;

impl Default for CountTable {
    fn default() -> Self {
        Self { slots: vec![(EMPTY, 0); 1 << 10], used: 0 }
    }
}

impl CountTable {
    /// Pairs of one partition that occur at least `threshold` times.
    fn frequent<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a [Pair]> + Clone,
        threshold: u32,
    ) -> Vec<(Pair, u32)> {
        let total: usize = lists.clone().map(<[Pair]>::len).sum();
        if total < threshold as usize {
            return Vec::new();
        }
        self.slots.fill((EMPTY, 0));
        self.used = 0;
        lists.flatten().for_each(|&pair| self.add(pair));
        self.slots.iter().copied().filter(|slot| slot.1 >= threshold).collect()
    }

    fn add(&mut self, pair: Pair) {
        let at = self.find(pair);
        let slot = &mut self.slots[at];
        slot.1 += 1;
        if slot.0 == EMPTY {
            slot.0 = pair;
            self.used += 1;
            if self.used * 3 > self.slots.len() * 2 {
                self.grow();
            }
        }
    }

    #[inline]
    fn find(&self, pair: Pair) -> usize {
        let mask = self.slots.len() - 1;
        // The top bits chose the partition; the low ones choose the slot.
        let mut at = mix(pair) as usize & mask;
        while self.slots[at].0 != pair && self.slots[at].0 != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![(EMPTY, 0); old.len() * 2];
        for slot in old.into_iter().filter(|slot| slot.0 != EMPTY) {
            let at = self.find(slot.0);
            self.slots[at] = slot;
        }
    }
}
