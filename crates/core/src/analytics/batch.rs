//! Rows of an answer, many at a time.

use super::sequences::{Key, Packing};
use super::words::Words;

/// Rows of an answer. Batches come in the order of the answer; each can be written out on its own.
#[derive(Debug)]
pub struct Batch<'w> {
    pub(super) words: &'w Words<'w>,
    words_a_row: usize,
    /// The words' ranks in the order of their bytes, `words_a_row` for each row.
    pub(super) ranks: Vec<u32>,
    pub(super) counts: Vec<u64>,
    /// Empty when rows have no document.
    pub(super) documents: Vec<u32>,
}

/// Rows of a batch at most.
pub(crate) const MOST_ROWS: usize = 1 << 13;

/// One row: a word or a sequence, how often it occurs, and where.
#[derive(Clone, Copy, Debug)]
pub struct BatchRow<'b> {
    words: &'b Words<'b>,
    ranks: &'b [u32],
    /// How often.
    pub count: u64,
    /// In which document; `None` for the whole corpus.
    pub document: Option<u32>,
}

impl<'w> Batch<'w> {
    pub(crate) fn new(words: &'w Words<'w>, words_a_row: usize) -> Self {
        Self { words, words_a_row, ranks: Vec::new(), counts: Vec::new(), documents: Vec::new() }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(
        &mut self,
        ranks: impl Iterator<Item = u32>,
        count: u64,
        document: Option<u32>,
    ) {
        self.ranks.extend(ranks);
        self.counts.push(count);
        self.documents.extend(document);
    }

    /// Adds rows of one word, by rank: its documents, each with a count.
    pub(crate) fn push_word(&mut self, rank: u32, documents: &[(u32, u32)]) {
        self.ranks.resize(self.ranks.len() + documents.len(), rank);
        self.counts.extend(documents.iter().map(|&(_, count)| u64::from(count)));
        self.documents.extend(documents.iter().map(|&(document, _)| document));
    }

    /// Adds rows of packed sequences of ranks, each once in `document`.
    pub(crate) fn push_once<K: Key>(&mut self, keys: &[K], packing: &Packing, document: u32) {
        let (rows, words) = (self.len() + keys.len(), self.words_a_row);
        let start = self.ranks.len();
        // Room is made once, not looked for with each word.
        self.ranks.resize(rows * words, 0);
        for (ranks, key) in self.ranks[start..].chunks_exact_mut(words).zip(keys) {
            for (place, rank) in ranks.iter_mut().enumerate() {
                *rank = key.word(place, packing);
            }
        }
        self.counts.resize(rows, 1);
        self.documents.resize(rows, document);
    }

    pub(crate) fn clear(&mut self) {
        self.ranks.clear();
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
            ranks: &self.ranks[row * self.words_a_row..(row + 1) * self.words_a_row],
            count: self.counts[row],
            document: self.documents.get(row).copied(),
        })
    }
}

impl<'b> BatchRow<'b> {
    /// The words' texts, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &'b [u8]> + use<'b> {
        let words = self.words;
        self.ranks.iter().map(move |&rank| words.text_at(rank))
    }

    /// The words' texts with a space between them.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        self.words().collect::<Vec<_>>().join(&b' ')
    }
}
