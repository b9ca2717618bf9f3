//! Which items become columns, and in which order.

use super::sparse::Terms;
use crate::analytics::limits;
use crate::error::MatrixError;
use std::cmp::Reverse;

/// The item is no column.
pub(super) const NO_COLUMN: u32 = u32::MAX;

/// In how many rows each item occurs, and how often in all of them.
#[derive(Default)]
pub(super) struct Sums {
    pub(super) rows: Vec<u32>,
    pub(super) totals: Vec<u64>,
}

impl Sums {
    pub(super) fn with_items(items: usize) -> Self {
        Self { rows: vec![0; items], totals: vec![0; items] }
    }

    /// Adds an item that comes after all others.
    pub(super) fn push(&mut self, rows: u32, total: u64) {
        self.rows.push(rows);
        self.totals.push(total);
    }

    /// Adds an item's count in one more row.
    #[inline(always)]
    pub(super) fn add(&mut self, item: u32, count: u64) {
        let item = item as usize;
        if item >= self.rows.len() {
            self.rows.resize(item + 1, 0);
            self.totals.resize(item + 1, 0);
        }
        self.rows[item] += 1;
        self.totals[item] = self.totals[item].saturating_add(count);
    }

    /// How many items occur at all.
    pub(super) fn distinct(&self) -> u64 {
        self.rows.iter().filter(|&&rows| rows > 0).count() as u64
    }
}

/// Limits on the terms that become columns.
#[derive(Clone, Debug, Default)]
pub(super) struct Limits {
    pub(super) terms: limits::Limits,
    pub(super) max_features: Option<usize>,
    pub(super) is_binary: bool,
}

impl Limits {
    /// Checks what can be checked before anything is counted.
    pub(super) fn check(&self) -> Result<(), MatrixError> {
        self.terms.check()?;
        if self.max_features == Some(0) {
            return Err(MatrixError::NoFeatures);
        }
        Ok(())
    }

    /// Chooses columns among items, which are given in the order of columns. Returns the items that
    /// are kept, in that order. `terms` is the number of distinct items that were counted.
    pub(super) fn choose(
        &self,
        order: impl Iterator<Item = u32>,
        sums: &Sums,
        rows: usize,
        terms: u64,
    ) -> Result<Vec<u32>, MatrixError> {
        if terms == 0 {
            return Err(MatrixError::NoWords);
        }
        self.terms.of(rows)?;
        let kept = self.keep(order, sums, rows);
        match kept.is_empty() {
            true => Err(MatrixError::NoTermsLeft { terms }),
            false => Ok(kept),
        }
    }

    /// The items within the limits, in the order in which they are given.
    pub(super) fn keep(
        &self,
        order: impl Iterator<Item = u32>,
        sums: &Sums,
        rows: usize,
    ) -> Vec<u32> {
        let bounds = self.terms.bounds(rows);
        let is_kept = |&item: &u32| {
            let rows = sums.rows[item as usize];
            rows > 0 && bounds.keep(sums.totals[item as usize], Some(rows))
        };
        let mut kept: Vec<u32> = order.filter(is_kept).collect();
        if let Some(features) = self.max_features.filter(|&features| features < kept.len()) {
            // Among items of equal count, the first columns are kept.
            let mut places: Vec<u32> = (0..kept.len() as u32).collect();
            places.sort_by_key(|&place| Reverse(self.sum(kept[place as usize], sums)));
            places.truncate(features);
            places.sort_unstable();
            kept = places.into_iter().map(|place| kept[place as usize]).collect();
        }
        kept
    }

    /// The sum of an item's column.
    fn sum(&self, item: u32, sums: &Sums) -> u64 {
        match self.is_binary {
            true => u64::from(sums.rows[item as usize]),
            false => sums.totals[item as usize],
        }
    }
}

/// The columns of a matrix.
pub(super) struct Columns {
    pub(super) terms: Terms,
    /// In how many rows each column has a cell.
    pub(super) document_counts: Vec<u64>,
    pub(super) totals: Vec<u64>,
    /// The column of each item, or [`NO_COLUMN`].
    pub(super) of_items: Vec<u32>,
}

impl Columns {
    /// The terms of a vocabulary, whose items are their places in it.
    pub(super) fn of_vocabulary(
        vocabulary: &Terms,
        sums: &Sums,
        limits: &Limits,
    ) -> Result<Self, MatrixError> {
        if sums.distinct() == 0 {
            return Err(MatrixError::NoTermOccurs { terms: vocabulary.len() });
        }
        let all: Vec<u32> = (0..vocabulary.len() as u32).collect();
        Ok(Self::new(&all, vocabulary.clone(), sums, limits))
    }

    /// Makes the items of `kept` columns, in that order.
    pub(super) fn new(kept: &[u32], terms: Terms, sums: &Sums, limits: &Limits) -> Self {
        let mut of_items = vec![NO_COLUMN; sums.rows.len()];
        for (&item, column) in kept.iter().zip(0..) {
            of_items[item as usize] = column;
        }
        let rows = |&item: &u32| u64::from(sums.rows[item as usize]);
        Self {
            terms,
            document_counts: kept.iter().map(rows).collect(),
            totals: kept.iter().map(|&item| limits.sum(item, sums)).collect(),
            of_items,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::DocumentLimit;
    use crate::error::LimitError;

    fn limits(least: Option<DocumentLimit>, most: Option<DocumentLimit>, count: u64) -> Limits {
        let terms = limits::Limits { min_docs: least, max_docs: most, min_count: count };
        Limits { terms, ..Limits::default() }
    }

    fn sums() -> Sums {
        Sums { rows: vec![1, 4, 2, 0, 2], totals: vec![5, 4, 5, 0, 9] }
    }

    fn choose(limits: &Limits) -> Result<Vec<u32>, MatrixError> {
        limits.check()?;
        limits.choose(0..5, &sums(), 4, 4)
    }

    #[test]
    fn limits_choose_columns() {
        assert_eq!(choose(&Limits::default()).unwrap(), [0, 1, 2, 4]);
        let least = Some(DocumentLimit::Count(2));
        assert_eq!(choose(&limits(least, None, 0)).unwrap(), [1, 2, 4]);
        let most = Some(DocumentLimit::Share(0.5));
        assert_eq!(choose(&limits(least, most, 0)).unwrap(), [2, 4]);
        assert_eq!(choose(&limits(None, None, 5)).unwrap(), [0, 2, 4]);
        let features = Limits { max_features: Some(2), ..Limits::default() };
        assert_eq!(choose(&features).unwrap(), [0, 4], "of 0 and 2, which are tied, the first");
        let binary = Limits { is_binary: true, ..features };
        assert_eq!(choose(&binary).unwrap(), [1, 2]);
    }

    #[test]
    fn bad_limits_are_refused() {
        let limits = |least, most| limits(Some(least), Some(most), 0);
        let (count, share) = (DocumentLimit::Count, DocumentLimit::Share);
        assert_eq!(
            choose(&limits(count(3), share(0.5))),
            Err(LimitError::Cross { least: 3.0, most: 2.0 }.into())
        );
        assert_eq!(choose(&limits(count(3), count(3))), Err(MatrixError::NoTermsLeft { terms: 4 }));
        assert_eq!(
            choose(&limits(share(1.5), count(3))),
            Err(LimitError::BadShare { share: 1.5 }.into())
        );
        assert!(choose(&limits(share(f64::NAN), count(3))).is_err());
        let none = Limits { max_features: Some(0), ..Limits::default() };
        assert_eq!(choose(&none), Err(MatrixError::NoFeatures));
        let empty = Limits::default().choose(0..5, &Sums::with_items(5), 4, 0);
        assert_eq!(empty, Err(MatrixError::NoWords));
    }
}
