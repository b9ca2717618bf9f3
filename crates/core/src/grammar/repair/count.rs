//! Exact counts of all frequent pairs, by partitions that fit the cache.

use super::{BREAK, Symbol};
use rayon::prelude::*;

/// Pairs are divided by hash so that a partition's table stays in the second-level cache; up to so
/// many bits of the hash say which partition,
const MOST_PARTITION_BITS: u32 = 9;

/// and a partition has about so many pairs, if that is enough.
const PARTITION_PAIRS: usize = 1 << 13;

/// A pair as one number, left symbol in the upper half.
pub(super) type Pair = u64;

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

/// Counts pairs, round after round, in memory that is kept from one round to the next.
#[derive(Default)]
pub(super) struct PairCounter {
    /// By group of chunks and by partition: pairs that may be frequent.
    scattered: Vec<Vec<Vec<Pair>>>,
    /// Bits of the hash that say which partition.
    bits: u32,
}

impl PairCounter {
    /// All pairs of neighbours that occur at least `threshold` times, with their counts; overlapping
    /// occurrences of a pair of equal symbols count once.
    pub(super) fn count(
        &mut self,
        chunks: &mut [Vec<Symbol>],
        frequency: &[u32],
        threshold: u32,
    ) -> Vec<(Pair, u32)> {
        let pairs = chunks.iter().map(Vec::len).sum();
        self.scatter(chunks, pairs, |chunk, partitions| {
            scatter(chunk, frequency, threshold, partitions);
        });
        self.frequent(threshold, |_| true)
    }

    /// Has `sort` go through all chunks and sort pairs into partitions, about `pairs` of them.
    pub(super) fn scatter(
        &mut self,
        chunks: &mut [Vec<Symbol>],
        pairs: usize,
        sort: impl Fn(&mut Vec<Symbol>, &mut Partitions<'_>) + Sync,
    ) {
        let groups = rayon::current_num_threads().max(1) * 2;
        let per_group = chunks.len().div_ceil(groups).max(1);
        self.scattered.resize_with(chunks.len().div_ceil(per_group), Vec::new);
        self.bits = (pairs / PARTITION_PAIRS).max(1).ilog2().min(MOST_PARTITION_BITS);
        let (bits, scattered) = (self.bits, &mut self.scattered);
        scattered.par_iter_mut().zip(chunks.par_chunks_mut(per_group)).for_each(
            |(lists, group)| {
                lists.iter_mut().for_each(Vec::clear);
                lists.resize_with(lists.len().max(1 << bits), Vec::new);
                let mut partitions = Partitions { lists, bits };
                group.iter_mut().for_each(|chunk| sort(chunk, &mut partitions));
            },
        );
    }

    /// Counts of what was sorted into partitions, of pairs that occur at least `threshold` times and
    /// are `wanted`.
    pub(super) fn frequent(
        &self,
        threshold: u32,
        wanted: impl Fn(Pair) -> bool + Sync,
    ) -> Vec<(Pair, u32)> {
        (0..1 << self.bits)
            .into_par_iter()
            .map_init(CountTable::default, |table, partition: usize| {
                let lists = self.scattered.iter().map(|lists| &lists[partition][..]);
                table.frequent(lists, threshold, &wanted)
            })
            .flatten_iter()
            .collect()
    }
}

/// Lists that pairs are sorted into by their hash.
pub(super) struct Partitions<'a> {
    lists: &'a mut [Vec<Pair>],
    bits: u32,
}

impl Partitions<'_> {
    #[inline(always)]
    pub(super) fn push(&mut self, pair: Pair) {
        self.lists[((mix(pair) >> 32) << self.bits >> 32) as usize].push(pair);
    }
}

/// Sorts the pairs of a chunk into partitions, leaving out pairs that cannot be frequent because
/// one of their symbols is not.
fn scatter(chunk: &[Symbol], frequency: &[u32], threshold: u32, partitions: &mut Partitions<'_>) {
    // Whether the pair before the current one was counted and is the same: then this one overlaps
    // it (`aaa`).
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
                partitions.push(pair_of(left, right));
            }
        } else {
            overlap = None;
        }
        (left, left_frequent) = (right, right_frequent);
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
    /// Pairs of one partition that occur at least `threshold` times and are `wanted`.
    fn frequent<'a>(
        &mut self,
        lists: impl Iterator<Item = &'a [Pair]> + Clone,
        threshold: u32,
        wanted: impl Fn(Pair) -> bool,
    ) -> Vec<(Pair, u32)> {
        let total: usize = lists.clone().map(<[Pair]>::len).sum();
        if total < threshold as usize {
            return Vec::new();
        }
        self.slots.fill((EMPTY, 0));
        self.used = 0;
        lists.flatten().filter(|&&pair| wanted(pair)).for_each(|&pair| self.add(pair));
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
