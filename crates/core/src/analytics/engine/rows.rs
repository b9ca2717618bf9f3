//! Rows on their way out.

use super::ordered::{Abandoned, Outlet};
use crate::analytics::batch::{Batch, MOST_ROWS};
use crate::analytics::report::{Meter, Phase};
use crate::analytics::sequences::{Key, Packing};
use crate::analytics::words::Words;
use std::sync::atomic::Ordering;

/// Makes batches of rows and encodes them, in whichever thread has them.
pub(crate) struct Writer<'w, O> {
    pub(crate) words: &'w Words<'w>,
    pub(crate) words_a_row: usize,
    pub(crate) encode: &'w (dyn Fn(&Batch<'_>) -> O + Sync),
    pub(crate) meter: &'w Meter,
}

/// Rows of a writer that are not yet encoded.
pub(crate) struct Page<'w, O> {
    writer: &'w Writer<'w, O>,
    batch: Batch<'w>,
}

impl<O> Writer<'_, O> {
    pub(crate) fn page(&self) -> Page<'_, O> {
        Page { writer: self, batch: Batch::new(self.words, self.words_a_row) }
    }
}

impl<O> Page<'_, O> {
    /// Adds a row of word numbers; hands out what the encoder made when the page is full.
    #[inline]
    pub(crate) fn push(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        count: u64,
        document: Option<u32>,
    ) -> Option<O> {
        self.batch.push(numbers, count, document);
        if self.batch.len() < MOST_ROWS { None } else { self.turn() }
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
        let word_at = &self.writer.words.order().word_at;
        let numbers = (0..packing.n).map(|place| word_at[key.word(place, packing) as usize]);
        self.push(numbers, count, document)
    }

    /// Encodes the rows there are.
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

/// Emits what a page has to give; for use with `?` in units of work.
pub(crate) fn emit<O, E>(
    outlet: &mut Outlet<'_, '_, O, E>,
    encoded: Option<O>,
) -> Result<(), Abandoned> {
    encoded.map_or(Ok(()), |encoded| outlet.emit(encoded))
}

/// Puts items that rise by key into the order of falling counts, the keys rising among equals; only
/// the first `top` are kept.
pub(crate) fn order_by_count<K: Key>(items: &mut Vec<(K, u64)>, top: Option<usize>) {
    let top = top.unwrap_or(usize::MAX);
    if top < items.len() / 4 {
        let order = |a: &(K, u64), b: &(K, u64)| (b.1, &a.0).cmp(&(a.1, &b.0));
        if top > 0 {
            items.select_nth_unstable_by(top - 1, order);
        }
        items.truncate(top);
        items.sort_unstable_by(order);
        return;
    }
    // Most items occur once: they stay in their order, behind the others.
    let once = items.extract_if(.., |(_, count)| *count == 1).collect::<Vec<_>>();
    items.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    items.extend(once);
    items.truncate(top);
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
            order_by_count(&mut items, top);
            prop_assert_eq!(items, expected);
        }
    }
}
