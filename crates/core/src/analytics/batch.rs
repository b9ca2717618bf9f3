//! Rows of an answer, many at a time.

use super::words::Words;

/// Rows of an answer. Batches come in the order of the answer; each can be written out on its own.
#[derive(Debug)]
pub struct Batch<'w> {
    pub(super) words: &'w Words<'w>,
    words_a_row: usize,
    /// Word numbers, `words_a_row` for each row.
    numbers: Vec<u32>,
    counts: Vec<u64>,
    /// Empty when rows have no document.
    documents: Vec<u32>,
}

/// Rows of a batch at most.
pub(crate) const MOST_ROWS: usize = 1 << 13;

/// One row: a word or a sequence, how often it occurs, and where.
#[derive(Clone, Copy, Debug)]
pub struct BatchRow<'b> {
    words: &'b Words<'b>,
    pub(super) numbers: &'b [u32],
    /// How often.
    pub count: u64,
    /// In which document; `None` for the whole corpus.
    pub document: Option<u32>,
}

impl<'w> Batch<'w> {
    pub(crate) fn new(words: &'w Words<'w>, words_a_row: usize) -> Self {
        Self { words, words_a_row, numbers: Vec::new(), counts: Vec::new(), documents: Vec::new() }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(
        &mut self,
        numbers: impl Iterator<Item = u32>,
        count: u64,
        document: Option<u32>,
    ) {
        self.numbers.extend(numbers);
        self.counts.push(count);
        self.documents.extend(document);
    }

    pub(crate) fn clear(&mut self) {
        self.numbers.clear();
        self.counts.clear();
        self.documents.clear();
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Words in each row: 1, or the length of sequences.
    #[must_use]
    pub fn words_a_row(&self) -> usize {
        self.words_a_row
    }

    /// Whether each row has a document.
    #[must_use]
    pub fn has_documents(&self) -> bool {
        !self.documents.is_empty()
    }

    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = BatchRow<'_>> {
        (0..self.len()).map(|row| BatchRow {
            words: self.words,
            numbers: &self.numbers[row * self.words_a_row..(row + 1) * self.words_a_row],
            count: self.counts[row],
            document: self.documents.get(row).copied(),
        })
    }
}

impl<'b> BatchRow<'b> {
    /// The words' texts, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &'b [u8]> + use<'b> {
        let words = self.words;
        self.numbers.iter().map(move |&number| words.text(number))
    }

    /// The words' texts with a space between them.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        self.words().collect::<Vec<_>>().join(&b' ')
    }
}
