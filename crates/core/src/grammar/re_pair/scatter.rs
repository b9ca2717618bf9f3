//! Sorts pairs into partitions that fit in the cache.
//!
//! Look-ups in a table of pairs are random and wait for memory if the table is large. So pairs are first
//! written to lists by their hash, and then each partition is processed separately: its part of the
//! table is small, and no other thread uses it.

use super::count::{Pair, mix, pair_of};
use super::{BREAK, Symbol};
use rayon::prelude::*;

/// Most bits of the hash that select a partition.
const MOST_PARTITION_BITS: u32 = 9;

/// Pairs per partition that the number of bits aims for.
const PARTITION_PAIRS: usize = 1 << 13;

/// Lists of pairs by partition. Their memory is reused from one round to the next.
#[derive(Default)]
pub(super) struct Scattered {
    /// One per group of chunks, each filled by one thread.
    groups: Vec<Lists>,
    /// Bits of the hash that select a partition.
    bits: u32,
    /// Pairs per list, if all pairs are divided evenly.
    share: usize,
}

/// Added pairs and broken pairs, by partition.
#[derive(Default)]
struct Lists {
    fresh: Vec<Vec<Pair>>,
    lost: Vec<Vec<Pair>>,
}

impl Scattered {
    /// Sorts all pairs of neighbours into partitions, as many as suit their number. Skips pairs that
    /// cannot occur `threshold` times because one of their symbols does not. Overlapping occurrences of a
    /// pair of equal symbols count once.
    pub(super) fn all(&mut self, chunks: &mut [Vec<Symbol>], frequency: &[u32], threshold: u32) {
        let pairs: usize = chunks.iter().map(Vec::len).sum();
        self.bits = (pairs / PARTITION_PAIRS).max(1).ilog2().min(MOST_PARTITION_BITS);
        let share = pairs / groups(chunks).1;
        self.share = (share + share / 8) >> self.bits;
        self.changes(chunks, |group, partitions| {
            group.iter().for_each(|chunk| scatter(chunk, frequency, threshold, partitions));
        });
    }

    /// Calls `sort` for each group of chunks, to sort the changes into the existing partitions.
    pub(super) fn changes<T: Send>(
        &mut self,
        chunks: &mut [Vec<Symbol>],
        sort: impl Fn(&mut [Vec<Symbol>], &mut Partitions<'_>) -> T + Sync,
    ) -> Vec<T> {
        let (per_group, groups) = groups(chunks);
        self.groups.resize_with(groups, Lists::default);
        let (bits, share) = (self.bits, self.share);
        let groups = self.groups.par_iter_mut().zip(chunks.par_chunks_mut(per_group));
        groups
            .map(|(Lists { fresh, lost }, group)| {
                for lists in [&mut *fresh, &mut *lost] {
                    lists.resize_with(1 << bits, Vec::new);
                    lists.iter_mut().for_each(|list| empty(list, share));
                }
                fresh.iter_mut().for_each(|list| list.reserve_exact(share));
                sort(group, &mut Partitions { fresh, lost, bits })
            })
            .collect()
    }

    /// The number of partitions.
    pub(super) fn partitions(&self) -> usize {
        1 << self.bits
    }

    /// The added pairs of a partition.
    pub(super) fn fresh(&self, partition: usize) -> impl Iterator<Item = &[Pair]> + Clone {
        self.groups.iter().map(move |lists| &lists.fresh[partition][..])
    }

    /// The broken pairs of a partition.
    pub(super) fn lost(&self, partition: usize) -> impl Iterator<Item = &[Pair]> {
        self.groups.iter().map(move |lists| &lists.lost[partition][..])
    }
}

/// Chunks in a group, and the number of groups.
fn groups(chunks: &[Vec<Symbol>]) -> (usize, usize) {
    let groups = rayon::current_num_threads().max(1) * 2;
    let per_group = chunks.len().div_ceil(groups).max(1);
    (per_group, chunks.len().div_ceil(per_group).max(1))
}

/// Empties a list. In logs, where a few pairs repeat many times, one list after the other becomes long
/// for a round; it must not keep that memory.
fn empty(list: &mut Vec<Pair>, share: usize) {
    list.clear();
    list.shrink_to(2 * share);
}

/// The lists of one group.
pub(super) struct Partitions<'a> {
    fresh: &'a mut [Vec<Pair>],
    lost: &'a mut [Vec<Pair>],
    bits: u32,
}

impl Partitions<'_> {
    #[inline(always)]
    fn of(&self, pair: Pair) -> usize {
        ((mix(pair) >> 32) << self.bits >> 32) as usize
    }

    #[inline(always)]
    pub(super) fn came(&mut self, pair: Pair) {
        self.fresh[self.of(pair)].push(pair);
    }

    #[inline(always)]
    pub(super) fn went(&mut self, pair: Pair) {
        self.lost[self.of(pair)].push(pair);
    }
}

fn scatter(chunk: &[Symbol], frequency: &[u32], threshold: u32, partitions: &mut Partitions<'_>) {
    // Whether the pair before the current one was counted and is the same: then this one overlaps
    // it (`aaa`).
    let mut overlap = false;
    let mut left = BREAK;
    let mut left_frequent = false;
    for &right in chunk {
        let right_frequent = right != BREAK && frequency[right as usize] >= threshold;
        let counts = left_frequent && right_frequent && !(left == right && overlap);
        if counts {
            partitions.came(pair_of(left, right));
        }
        overlap = counts && left == right;
        (left, left_frequent) = (right, right_frequent);
    }
}
