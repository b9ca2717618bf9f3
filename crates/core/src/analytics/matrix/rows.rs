//! Rows put together from documents and pieces of documents, and rows kept in memory.

use super::units::RowPlan;
use crate::analytics::engine::SegmentScope;
use crate::analytics::engine::document_counts::Counted;
use crate::error::QueryError;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Puts rows together. Most rows are one document and pass unchanged. The parts of a row that has
/// several, documents of a unit or pieces of a document, are added up until the last one has come.
pub(super) struct RowAssembler<'p, K> {
    plan: &'p RowPlan<'p>,
    /// Parts of each row that have not come yet.
    parts_left: Vec<u32>,
    /// The next row to pass on.
    next: usize,
    /// Rows of which some parts have come.
    open: BTreeMap<usize, OpenRow<K>>,
}

struct OpenRow<K> {
    counts: Vec<(K, u64)>,
    /// How many of the counts are sorted, each key once.
    sorted: usize,
}

impl<K> Default for OpenRow<K> {
    fn default() -> Self {
        Self { counts: Vec::new(), sorted: 0 }
    }
}

impl<'p, K: Clone + Ord> RowAssembler<'p, K> {
    pub(super) fn new(plan: &'p RowPlan<'p>, segments: &[SegmentScope]) -> Self {
        let mut parts_left = vec![0; plan.count()];
        for scope in segments {
            for &document in &scope.documents {
                parts_left[plan.row_of(scope.corpus_number(document) as usize)] += 1;
            }
        }
        Self { plan, parts_left, next: 0, open: BTreeMap::new() }
    }

    /// Adds a document or a piece of one, and passes complete rows to `sink`, in order.
    pub(super) fn add(
        &mut self,
        counted: &Counted<'_, K>,
        sink: &mut impl FnMut(&[(K, u64)]) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let row = self.plan.row_of(counted.document);
        self.parts_left[row] -= 1;
        let is_whole = self.parts_left[row] == 0 && counted.spanning.is_empty();
        if is_whole && row == self.next && !self.open.contains_key(&row) {
            sink(counted.counts)?;
            self.next += 1;
        } else {
            let open = self.open.entry(row).or_default();
            open.add(counted.counts);
            open.add(counted.spanning);
        }
        while self.parts_left.get(self.next) == Some(&0) {
            self.pass_on(sink)?;
        }
        Ok(())
    }

    /// Passes the remaining rows on; parts of them are in segments that were skipped.
    pub(super) fn finish(
        mut self,
        sink: &mut impl FnMut(&[(K, u64)]) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        while self.next < self.parts_left.len() {
            self.pass_on(sink)?;
        }
        Ok(())
    }

    fn pass_on(
        &mut self,
        sink: &mut impl FnMut(&[(K, u64)]) -> Result<(), QueryError>,
    ) -> Result<(), QueryError> {
        let open = self.open.remove(&self.next);
        self.next += 1;
        sink(&open.map(OpenRow::finish).unwrap_or_default())
    }
}

impl<K: Clone + Ord> OpenRow<K> {
    fn add(&mut self, counts: &[(K, u64)]) {
        /// Fewer counts are not worth a sort.
        const FEW: usize = 1 << 12;
        self.counts.extend_from_slice(counts);
        if self.counts.len() > 2 * self.sorted.max(FEW) {
            self.sort();
        }
    }

    /// Sorts the counts and adds up those of the same key.
    fn sort(&mut self) {
        self.counts.sort_by(|(a, _), (b, _)| a.cmp(b));
        self.counts.dedup_by(|(key, count), (kept, sum)| {
            let is_same = key == kept;
            if is_same {
                *sum = sum.saturating_add(*count);
            }
            is_same
        });
        self.sorted = self.counts.len();
    }

    fn finish(mut self) -> Vec<(K, u64)> {
        self.sort();
        self.counts
    }
}

/// Rows of items, by key or by number, and their counts.
pub(in crate::analytics) struct KeptRows<T = u32> {
    starts: Vec<usize>,
    items: Vec<T>,
    counts: KeptCounts,
}

/// Counts of cells.
#[derive(Default)]
pub(super) struct KeptCounts {
    /// [`LARGE`] for those in `large`.
    small: Vec<u16>,
    large: FxHashMap<usize, u64>,
}

/// Marks a count that does not fit 16 bits.
const LARGE: u16 = u16::MAX;

impl KeptCounts {
    fn push(&mut self, count: u64) {
        let small = u16::try_from(count).unwrap_or(LARGE);
        if small == LARGE {
            self.large.insert(self.small.len(), count);
        }
        self.small.push(small);
    }

    /// The count of a cell.
    #[inline(always)]
    pub(super) fn get(&self, cell: usize) -> u64 {
        match self.small[cell] {
            LARGE => self.large[&cell],
            count => u64::from(count),
        }
    }
}

impl<T> Default for KeptRows<T> {
    fn default() -> Self {
        Self { starts: Vec::new(), items: Vec::new(), counts: KeptCounts::default() }
    }
}

impl<T> KeptRows<T> {
    /// Memory of a cell.
    pub(super) const BYTES_A_CELL: u64 = (size_of::<T>() + size_of::<u16>()) as u64;

    pub(in crate::analytics) fn len(&self) -> usize {
        self.starts.len()
    }

    pub(in crate::analytics) fn cells(&self) -> usize {
        self.items.len()
    }

    /// Where a row begins, or where the last one ends.
    pub(super) fn start(&self, row: usize) -> usize {
        self.starts.get(row).copied().unwrap_or(self.items.len())
    }

    pub(in crate::analytics) fn begin_row(&mut self) {
        self.starts.push(self.items.len());
    }

    pub(in crate::analytics) fn push(&mut self, item: T, count: u64) {
        self.items.push(item);
        self.counts.push(count);
    }

    /// The same rows with other items, which `rename` makes of all cells.
    pub(super) fn rename<U>(
        self,
        rename: impl FnOnce(Vec<T>, &KeptCounts) -> Result<Vec<U>, QueryError>,
    ) -> Result<KeptRows<U>, QueryError> {
        let Self { starts, items, counts } = self;
        Ok(KeptRows { starts, items: rename(items, &counts)?, counts })
    }
}

impl<T: Copy> KeptRows<T> {
    /// The items of a row and their counts.
    pub(in crate::analytics) fn row(&self, row: usize) -> impl Iterator<Item = (T, u64)> {
        let (start, end) = (self.start(row), self.start(row + 1));
        let cells = self.items[start..end].iter().zip(start..end);
        cells.map(|(&item, cell)| (item, self.counts.get(cell)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_rows_keep_large_counts() {
        let mut rows = KeptRows::default();
        let expected: [&[(u32, u64)]; 3] = [
            &[(3, 1), (5, u64::from(u16::MAX)), (6, u64::from(u32::MAX)), (9, 1 << 40)],
            &[],
            &[(0, 7)],
        ];
        for row in expected {
            rows.begin_row();
            row.iter().for_each(|&(item, count)| rows.push(item, count));
        }
        assert_eq!((rows.len(), rows.cells()), (3, 5));
        for (number, row) in expected.iter().enumerate() {
            assert_eq!(rows.row(number).collect::<Vec<_>>(), *row);
        }
    }

    #[test]
    fn parts_of_a_row_add_up() {
        let mut open = OpenRow::default();
        for part in 0..10_000u64 {
            open.add(&[(part % 3, 1), (7, 2)]);
        }
        assert!(open.counts.len() < 20_000, "parts are added up along the way");
        assert_eq!(open.finish(), [(0, 3334), (1, 3333), (2, 3333), (7, 20_000)]);
    }
}
