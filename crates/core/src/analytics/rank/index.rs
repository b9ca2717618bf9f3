//! The documents of each word, and how long documents are.

use crate::analytics::engine::Setting;
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::matrix::{KeptRows, Numbering, WordNumbers, scan};
use crate::analytics::report::Phase;
use crate::analytics::units::RowPlan;
use crate::error::QueryError;
use rustc_hash::FxHashMap;

/// Marks a count that does not fit 32 bits.
const LARGE: u32 = u32::MAX;

/// Words with their rows. Rows are the chosen documents, in order.
pub(super) struct Index {
    /// Where each word's rows begin, and the end of the last.
    starts: Vec<usize>,
    rows: Vec<u32>,
    /// [`LARGE`] for counts in `large`.
    counts: Vec<u32>,
    large: FxHashMap<usize, u64>,
    /// How many words each row has, all of them.
    lengths: Vec<u64>,
}

/// The rows of one word.
#[derive(Clone, Copy)]
pub(super) struct Postings<'i> {
    pub(super) rows: &'i [u32],
    counts: &'i [u32],
    start: usize,
    large: &'i FxHashMap<usize, u64>,
}

impl Index {
    /// Indexes those of `words` words that `numbers` knows, by the numbers it gives them.
    pub(super) fn new(
        setting: &Setting<'_>,
        rows: &RowPlan<'_>,
        numbers: &WordNumbers,
        words: usize,
    ) -> Result<Self, QueryError> {
        let mut kept = KeptRows::default();
        let mut lengths = Vec::with_capacity(rows.count());
        scan(setting, rows, &WordItems::new(setting), |counts| {
            kept.begin_row();
            let mut length = 0u64;
            for (key, count) in counts {
                length = length.saturating_add(*count);
                if let Some(word) = numbers.find(key) {
                    kept.push(word, *count);
                }
            }
            lengths.push(length);
            Ok(())
        })?;
        Ok(setting.ledger.meter.time(Phase::Merge, || Self::of(&kept, words, lengths)))
    }

    /// Turns rows of words into words with rows, by counting sort.
    fn of(kept: &KeptRows, words: usize, lengths: Vec<u64>) -> Self {
        let all = || (0..kept.len()).flat_map(|row| kept.row(row).map(move |cell| (row, cell)));
        // One place further than the starts, so that placing a word's rows moves them there.
        let mut starts = vec![0; words + 2];
        all().for_each(|(_, (word, _))| starts[word as usize + 2] += 1);
        for word in 2..starts.len() {
            starts[word] += starts[word - 1];
        }
        let mut index = Self {
            starts,
            rows: vec![0; kept.cells()],
            counts: vec![0; kept.cells()],
            large: FxHashMap::default(),
            lengths,
        };
        for (row, (word, count)) in all() {
            let place = &mut index.starts[word as usize + 1];
            index.rows[*place] = row as u32;
            let small = u32::try_from(count).unwrap_or(LARGE);
            if small == LARGE {
                index.large.insert(*place, count);
            }
            index.counts[*place] = small;
            *place += 1;
        }
        index.starts.pop();
        index
    }

    pub(super) fn lengths(&self) -> &[u64] {
        &self.lengths
    }

    pub(super) fn postings(&self, word: u32) -> Postings<'_> {
        let range = self.starts[word as usize]..self.starts[word as usize + 1];
        Postings {
            rows: &self.rows[range.clone()],
            counts: &self.counts[range.clone()],
            start: range.start,
            large: &self.large,
        }
    }
}

impl Postings<'_> {
    #[inline(always)]
    pub(super) fn count(&self, at: usize) -> u64 {
        match self.counts[at] {
            LARGE => self.large[&(self.start + at)],
            count => u64::from(count),
        }
    }

    /// How often the word occurs in a row.
    pub(super) fn count_in(&self, row: u32) -> u64 {
        self.rows.binary_search(&row).map_or(0, |at| self.count(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_rows_in_order() {
        let mut kept = KeptRows::default();
        let rows: [&[(u32, u64)]; 4] = [&[(0, 2), (3, 1 << 40)], &[], &[(3, 5)], &[(1, 1), (3, 7)]];
        for row in rows {
            kept.begin_row();
            row.iter().for_each(|&(word, count)| kept.push(word, count));
        }
        let index = Index::of(&kept, 4, vec![0; 4]);
        let expected: [&[(u32, u64)]; 4] =
            [&[(0, 2)], &[(3, 1)], &[], &[(0, 1 << 40), (2, 5), (3, 7)]];
        for (word, rows) in (0..).zip(expected) {
            let postings = index.postings(word);
            let counts = (0..postings.rows.len()).map(|at| (postings.rows[at], postings.count(at)));
            assert_eq!(counts.collect::<Vec<_>>(), rows);
        }
        assert_eq!([0, 1, 2, 3].map(|row| index.postings(3).count_in(row)), [1 << 40, 0, 5, 7]);
    }
}
