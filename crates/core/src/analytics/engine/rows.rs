//! Collects rows into batches and encodes them.

use super::ordered::{Abandoned, Outlet};
use super::total::Total;
use crate::analytics::report::{Meter, Phase};
use crate::analytics::row_batch::{MOST_ROWS, Naming, RowBatch, RowWords};
use crate::analytics::sequences::{Key, Packing};
use std::sync::atomic::Ordering;

/// Encodes batches of rows, in the thread that made them.
pub(crate) struct Writer<'w, O> {
    pub(crate) words: RowWords<'w>,
    pub(crate) words_a_row: usize,
    pub(crate) encode: &'w (dyn Fn(&RowBatch<'_>) -> O + Sync),
    pub(crate) meter: &'w Meter,
}

/// Rows of a writer that are not yet encoded.
pub(crate) struct Page<'w, O> {
    writer: &'w Writer<'w, O>,
    batch: RowBatch<'w>,
}

impl<O> Writer<'_, O> {
    /// For rows that name words by rank.
    pub(crate) fn page(&self) -> Page<'_, O> {
        self.page_named(Naming::ByRank)
    }

    pub(crate) fn page_named(&self, naming: Naming) -> Page<'_, O> {
        Page { writer: self, batch: RowBatch::new(&self.words, self.words_a_row, naming) }
    }
}

impl<O> Page<'_, O> {
    /// Adds a row of words, named as the page names them. Returns the encoded rows when the page is
    /// full.
    #[inline]
    pub(crate) fn push(
        &mut self,
        names: impl Iterator<Item = u32>,
        count: u64,
        document: Option<u32>,
    ) -> Option<O> {
        self.batch.push(names, count, document);
        if self.is_full() { self.turn() } else { None }
    }

    /// Notes in how many documents the item of the next row occurs.
    pub(crate) fn note_documents(&mut self, documents: Option<u32>) {
        self.batch.note_documents(documents);
    }

    /// Adds a row of a packed sequence of ranks.
    #[inline]
    pub(crate) fn push_key<K: Key>(
        &mut self,
        key: &K,
        packing: &Packing,
        count: u64,
        document: Option<u32>,
    ) -> Option<O> {
        self.push((0..packing.n).map(|place| key.word(place, packing)), count, document)
    }

    /// Adds rows of packed sequences that occur once in `document`, until the page is full; returns
    /// the others.
    pub(crate) fn fill<'k, K: Key>(
        &mut self,
        keys: &'k [K],
        packing: &Packing,
        document: u32,
    ) -> &'k [K] {
        let (keys, others) = keys.split_at(keys.len().min(MOST_ROWS - self.batch.len()));
        self.batch.push_once(keys, packing, document);
        others
    }

    /// Adds rows of a word, by rank, until the page is full; returns the others.
    pub(crate) fn fill_word<'p>(
        &mut self,
        rank: u32,
        postings: &'p [(u32, u32)],
    ) -> &'p [(u32, u32)] {
        let room = MOST_ROWS - self.batch.len();
        let (postings, others) = postings.split_at(postings.len().min(room));
        self.batch.push_word(rank, postings);
        others
    }

    /// Whether there is no room for more rows.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.batch.len() >= MOST_ROWS
    }

    /// Encodes the rows of the page.
    pub(crate) fn turn(&mut self) -> Option<O> {
        if self.batch.is_empty() {
            return None;
        }
        let meter = self.writer.meter;
        meter.rows.fetch_add(self.batch.len() as u64, Ordering::Relaxed);
        let encoded = meter.time(Phase::Write, || (self.writer.encode)(&self.batch));
        self.batch.clear();
        Some(encoded)
    }
}

/// Emits encoded rows, if any; for use with `?` in units of work.
pub(crate) fn emit<O, E>(
    outlet: &mut Outlet<'_, '_, O, E>,
    encoded: Option<O>,
) -> Result<(), Abandoned> {
    encoded.map_or(Ok(()), |encoded| outlet.emit(encoded))
}

/// A document's items by descending count, then by key. Most items of a document occur once: they
/// need no count and no second sort.
#[derive(Debug)]
pub(crate) struct Ranking<K> {
    /// Items that occur several times.
    pub(crate) several: Vec<(K, u64)>,
    /// Items that occur once.
    pub(crate) once: Vec<K>,
}

impl<K> Default for Ranking<K> {
    fn default() -> Self {
        Self { several: Vec::new(), once: Vec::new() }
    }
}

impl<K: Key> Ranking<K> {
    pub(crate) fn clear(&mut self) {
        self.several.clear();
        self.once.clear();
    }

    /// Adds an item.
    #[inline(always)]
    pub(crate) fn push(&mut self, key: K, count: u64) {
        if count == 1 {
            self.once.push(key);
        } else {
            self.several.push((key, count));
        }
    }

    /// Puts items in order that were added in ascending order of keys.
    pub(crate) fn order_rising(&mut self) {
        self.several.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    }

    /// Puts items in order.
    pub(crate) fn order(&mut self) {
        self.several.sort_unstable_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
        self.once.sort_unstable();
    }

    /// The items and their counts.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&K, u64)> {
        let several = self.several.iter().map(|(key, count)| (key, *count));
        several.chain(self.once.iter().map(|key| (key, 1)))
    }
}

/// Sorts items, which are in ascending order of keys, by descending count, then by key; keeps only
/// the first `top`.
pub(crate) fn order_by_count<K: Key, T: Total>(items: &mut Vec<(K, T)>, top: Option<usize>) {
    // Items that occur once keep their order, after the others.
    let once = items.extract_if(.., |(_, total)| total.count() == 1).collect::<Vec<_>>();
    items.sort_by_key(|(_, total)| std::cmp::Reverse(total.count()));
    items.extend(once);
    items.truncate(top.unwrap_or(usize::MAX));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_fall_and_keys_rise(
            counts in proptest::collection::vec(1u64..4, 0..50),
            top in proptest::option::of(0usize..60),
        ) {
            let mut items: Vec<(u64, u64)> = (0..).zip(counts).collect();
            let mut expected = items.clone();
            expected.sort_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
            expected.truncate(top.unwrap_or(usize::MAX));
            let mut ranking = Ranking::default();
            items.iter().rev().for_each(|&(key, count)| ranking.push(key, count));
            ranking.order();
            let ranked: Vec<(u64, u64)> = ranking.iter().map(|(&key, count)| (key, count)).collect();
            prop_assert!(ranked.starts_with(&expected));
            order_by_count(&mut items, top);
            prop_assert_eq!(items, expected);
        }
    }
}
