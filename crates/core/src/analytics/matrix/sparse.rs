//! A sparse matrix, and the texts of its columns.

use std::ops::Range;

/// A sparse matrix in compressed rows (CSR), as SciPy's `csr_matrix` stores it: the cells of row `i`
/// are at `row_starts[i]..row_starts[i + 1]` in `columns` and `values`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matrix<T> {
    /// Where each row's cells begin, and the number of all cells.
    pub row_starts: Vec<u64>,
    /// The column of each cell, in ascending order within a row.
    pub columns: Vec<u32>,
    /// The value of each cell.
    pub values: Vec<T>,
    /// The number of columns.
    pub width: usize,
}

impl<T> Matrix<T> {
    /// A matrix without rows.
    #[must_use]
    pub fn new(width: usize) -> Self {
        Self::with_capacity(width, 0, 0)
    }

    /// A matrix without rows, with room for `rows` rows and `cells` cells.
    pub(crate) fn with_capacity(width: usize, rows: usize, cells: usize) -> Self {
        let mut row_starts = Vec::with_capacity(rows + 1);
        row_starts.push(0);
        let (columns, values) = (Vec::with_capacity(cells), Vec::with_capacity(cells));
        Self { row_starts, columns, values, width }
    }

    /// The number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.row_starts.len().saturating_sub(1)
    }

    /// The number of cells that are stored.
    #[must_use]
    pub fn cells(&self) -> u64 {
        self.columns.len() as u64
    }

    /// The columns and values of a row's cells.
    ///
    /// # Panics
    /// When there is no such row.
    #[must_use]
    pub fn row(&self, row: usize) -> (&[u32], &[T]) {
        let range = self.range(row);
        (&self.columns[range.clone()], &self.values[range])
    }

    fn range(&self, row: usize) -> Range<usize> {
        self.row_starts[row] as usize..self.row_starts[row + 1] as usize
    }

    /// Adds a row.
    pub(crate) fn push_row(&mut self, columns: &[u32], values: impl IntoIterator<Item = T>) {
        self.columns.extend_from_slice(columns);
        self.values.extend(values);
        self.row_starts.push(self.columns.len() as u64);
    }
}

/// A list of texts in one buffer: the words or n-grams that are a matrix's columns, each spelled
/// once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    bytes: Vec<u8>,
    /// Where each text begins, and where the last one ends.
    starts: Vec<usize>,
}

impl Default for Terms {
    fn default() -> Self {
        Self { bytes: Vec::new(), starts: vec![0] }
    }
}

impl Terms {
    /// The number of texts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A text.
    ///
    /// # Panics
    /// When there is no such text.
    #[must_use]
    pub fn get(&self, term: usize) -> &[u8] {
        &self.bytes[self.starts[term]..self.starts[term + 1]]
    }

    /// All texts, in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        self.starts.windows(2).map(|ends| &self.bytes[ends[0]..ends[1]])
    }

    /// Adds a text.
    pub fn push(&mut self, text: &[u8]) {
        self.push_joined([text]);
    }

    /// Adds words with a space between them as one text.
    pub(crate) fn push_joined<'w>(&mut self, words: impl IntoIterator<Item = &'w [u8]>) {
        for (place, word) in words.into_iter().enumerate() {
            if place > 0 {
                self.bytes.push(b' ');
            }
            self.bytes.extend_from_slice(word);
        }
        self.starts.push(self.bytes.len());
    }
}

impl<T: AsRef<[u8]>> FromIterator<T> for Terms {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let mut terms = Self::default();
        texts.into_iter().for_each(|text| terms.push(text.as_ref()));
        terms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_and_texts_come_back_as_they_were_added() {
        let mut matrix = Matrix::new(5);
        matrix.push_row(&[1, 4], [2u64, 3]);
        matrix.push_row(&[], []);
        matrix.push_row(&[0], [7]);
        assert_eq!((matrix.rows(), matrix.cells(), matrix.width), (3, 3, 5));
        assert_eq!(matrix.row(0), (&[1, 4][..], &[2, 3][..]));
        assert_eq!(matrix.row(1), (&[][..], &[][..]));
        assert_eq!(matrix.row(2), (&[0][..], &[7][..]));

        let mut terms = Terms::from_iter(["a", "", "bc"]);
        terms.push_joined([&b"x"[..], b"y"]);
        assert_eq!(terms.iter().collect::<Vec<_>>(), [&b"a"[..], b"", b"bc", b"x y"]);
        assert_eq!((terms.len(), terms.get(2)), (4, &b"bc"[..]));
        assert!(Terms::default().is_empty());
    }
}
