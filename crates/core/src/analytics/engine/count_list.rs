//! Counts of many documents, collected and merged by key.
//!
//! Counts come in sorted runs, each of a few documents or one large one. To merge runs, keys are
//! divided into ranges of about equal weight. A range takes its part of every run, sorts it in
//! cache and adds up. Ranges are in order, so they can be merged one by one or in parallel.

use crate::analytics::sequences::{Key, Keyed, Sorter};
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// The count of an item in a document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry<K> {
    pub(crate) key: K,
    pub(crate) document: u32,
    /// [`Entry::LARGE`] if the count is in the run's table of large counts.
    count: u32,
}

impl<K> Entry<K> {
    const LARGE: u32 = u32::MAX;
}

impl<K: Key> Keyed for Entry<K> {
    type Key = K;

    #[inline(always)]
    fn key(&self) -> &K {
        &self.key
    }
}

/// Sorted entries.
#[derive(Debug)]
struct Run<K> {
    entries: Vec<Entry<K>>,
    large: HashMap<(K, u32), u64, FxBuildHasher>,
}

impl<K> Default for Run<K> {
    fn default() -> Self {
        Self { entries: Vec::new(), large: HashMap::default() }
    }
}

/// Entries in a run, unless a document has more.
const RUN: usize = 1 << 16;

/// About how many entries a range of keys has.
const RANGE: usize = 1 << 16;

/// Counts, added document by document.
#[derive(Debug)]
pub(crate) struct CountList<K> {
    runs: Vec<Run<K>>,
    open: Run<K>,
    /// Whether the open run has counts of several documents.
    is_mixed: bool,
}

impl<K> Default for CountList<K> {
    fn default() -> Self {
        Self { runs: Vec::new(), open: Run::default(), is_mixed: false }
    }
}

impl<K: Key> CountList<K> {
    /// Adds a document's counts, which are in ascending order of keys.
    pub(crate) fn push(&mut self, document: u32, counts: &[(K, u64)]) {
        if self.open.entries.len() + counts.len() > RUN {
            self.close();
        }
        self.is_mixed |= !self.open.entries.is_empty();
        self.open.entries.reserve(counts.len());
        for (key, count) in counts {
            self.open.push(key.clone(), document, *count);
        }
    }

    fn close(&mut self) {
        let mut run = std::mem::take(&mut self.open);
        if self.is_mixed {
            run.sort();
        }
        self.is_mixed = false;
        if !run.entries.is_empty() {
            run.entries.shrink_to_fit();
            self.runs.push(run);
        }
    }

    /// Ends the list.
    pub(crate) fn finish(mut self) -> Self {
        self.close();
        self
    }

    /// Moves the runs of another list here.
    pub(crate) fn append(&mut self, other: Self) {
        self.runs.extend(other.finish().runs);
    }

    /// Number of entries.
    pub(crate) fn len(&self) -> usize {
        self.runs.iter().chain([&self.open]).map(|run| run.entries.len()).sum()
    }

    /// Divides the keys into ranges of about equal weight. Returns the first keys of all ranges but
    /// the first.
    pub(crate) fn cuts(&self) -> Vec<K> {
        let ranges = self.len().div_ceil(RANGE);
        if ranges <= 1 {
            return Vec::new();
        }
        // A sample much larger than the number of ranges gives even ranges.
        let step = (self.len() / (32 * ranges)).max(1);
        let entries = self.runs.iter().flat_map(|run| run.entries.iter().step_by(step));
        let mut sample: Vec<K> = entries.map(|entry| entry.key.clone()).collect();
        sample.sort_unstable();
        let mut cuts: Vec<K> =
            (1..ranges).map(|range| sample[range * sample.len() / ranges].clone()).collect();
        cuts.dedup();
        cuts
    }

    /// Merges one range of [`cuts`](Self::cuts). Passes `(key, document, count)` to `sink` in
    /// ascending order, each pair of key and document once.
    pub(crate) fn merge(
        &self,
        cuts: &[K],
        range: usize,
        sorter: &mut Sorter<Entry<K>>,
        mut sink: impl FnMut(&K, u32, u64),
    ) {
        let from = range.checked_sub(1).map(|before| &cuts[before]);
        let to = cuts.get(range);
        let mut entries: Vec<(&Run<K>, &[Entry<K>])> = Vec::new();
        for run in &self.runs {
            let at = |cut: Option<&K>, otherwise: usize| {
                cut.map_or(otherwise, |cut| run.entries.partition_point(|entry| entry.key < *cut))
            };
            let part = &run.entries[at(from, 0)..at(to, run.entries.len())];
            if !part.is_empty() {
                entries.push((run, part));
            }
        }
        if let [(run, part)] = entries[..] {
            part.iter().for_each(|entry| sink(&entry.key, entry.document, run.count(entry)));
            return;
        }
        let mut merged: Vec<Entry<K>> = Vec::new();
        let mut large: HashMap<(K, u32), u64, FxBuildHasher> = HashMap::default();
        for (run, part) in entries {
            merged.extend_from_slice(part);
            for (key, &count) in &run.large {
                let sum = large.entry(key.clone()).or_default();
                *sum = sum.saturating_add(count);
            }
        }
        sort(&mut merged, sorter);
        for same in merged.chunk_by(|a, b| a.key == b.key && a.document == b.document) {
            let small = same.iter().filter(|entry| entry.count != Entry::<K>::LARGE);
            let small = small.fold(0u64, |sum, entry| sum + u64::from(entry.count));
            let large = match large.is_empty() {
                true => 0,
                false => large.get(&(same[0].key.clone(), same[0].document)).copied().unwrap_or(0),
            };
            sink(&same[0].key, same[0].document, small.saturating_add(large));
        }
    }
}

/// Sorts entries by key, then by document.
fn sort<K: Key>(entries: &mut [Entry<K>], sorter: &mut Sorter<Entry<K>>) {
    let Some(first) = entries.first() else { return };
    let bits = entries.iter().map(|entry| entry.key.differing_bits(&first.key)).max();
    sorter.sort(entries, bits.unwrap_or(0));
    for same in entries.chunk_by_mut(|a, b| a.key == b.key) {
        // Documents are in order except for pieces.
        if !same.is_sorted_by_key(|entry| entry.document) {
            same.sort_by_key(|entry| entry.document);
        }
    }
}

impl<K: Key> Run<K> {
    fn push(&mut self, key: K, document: u32, count: u64) {
        let small = u32::try_from(count).ok().filter(|&small| small != Entry::<K>::LARGE);
        if small.is_none() {
            let large = self.large.entry((key.clone(), document)).or_default();
            let is_new = *large == 0;
            *large = large.saturating_add(count);
            if !is_new {
                return;
            }
        }
        let count = small.unwrap_or(Entry::<K>::LARGE);
        self.entries.push(Entry { key, document, count });
    }

    /// Sorts entries and adds up those of the same key and document.
    fn sort(&mut self) {
        sort(&mut self.entries, &mut Sorter::default());
        let same = |a: &Entry<K>, b: &Entry<K>| a.key == b.key && a.document == b.document;
        if self.entries.is_sorted_by(|a, b| !same(a, b)) {
            return;
        }
        let mut sums = Self::default();
        for same in self.entries.chunk_by(same) {
            let count = same.iter().fold(0u64, |sum, entry| sum.saturating_add(self.count(entry)));
            sums.push(same[0].key.clone(), same[0].document, count);
        }
        *self = sums;
    }

    fn count(&self, entry: &Entry<K>) -> u64 {
        match entry.count {
            Entry::<K>::LARGE => self.large[&(entry.key.clone(), entry.document)],
            count => u64::from(count),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn counts_add_up_by_key_and_document(
            documents in proptest::collection::vec(
                proptest::collection::btree_map(0u64..200, prop_oneof![1u64..5, (1u64 << 32)..(1 << 40)], 0..60),
                0..20),
        ) {
            let mut list = CountList::default();
            let mut expected: BTreeMap<(u64, u32), u64> = BTreeMap::new();
            for (number, counts) in documents.iter().enumerate() {
                // Documents come in pieces of two.
                let document = number as u32 / 2;
                let counts: Vec<(u64, u64)> = counts.iter().map(|(&k, &c)| (k, c)).collect();
                if number % 3 == 0 {
                    let mut one = CountList::default();
                    one.push(document, &counts);
                    list.append(one);
                } else {
                    list.push(document, &counts);
                }
                for (key, count) in counts {
                    *expected.entry((key, document)).or_default() += count;
                }
            }
            let list = list.finish();
            let cuts = [20, 30, 100];
            let mut found = Vec::new();
            let mut sorter = Sorter::default();
            for range in 0..=cuts.len() {
                list.merge(&cuts, range, &mut sorter, |&key, document, count| found.push(((key, document), count)));
            }
            prop_assert_eq!(found, expected.into_iter().collect::<Vec<_>>());
        }
    }
}
