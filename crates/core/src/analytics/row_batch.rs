//! Rows of an answer, many at a time.

use super::delimited::Slots;
use super::sequences::{Key, Packing};
use super::words::Words;
use std::sync::OnceLock;

/// Rows of an answer. Batches come in the order of the answer, and each can be written
/// independently.
#[derive(Debug)]
pub struct RowBatch<'w> {
    pub(super) words: &'w RowWords<'w>,
    words_a_row: usize,
    pub(super) naming: Naming,
    /// The words, named as `naming` says, `words_a_row` per row.
    pub(super) names: Vec<u32>,
    pub(super) counts: Vec<u64>,
    /// Empty when rows have no document.
    pub(super) documents: Vec<u32>,
    /// In how many documents each row's item occurs; empty unless that was asked for.
    document_counts: Vec<u32>,
}

/// How rows name their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Naming {
    /// By their ranks in the order of bytes.
    ByRank,
    /// By their numbers. Where each word has one row, it would not pay to sort all words for their
    /// ranks.
    ByNumber,
}

/// The words of all rows of an answer, and the form in which lines copy them.
#[derive(Debug)]
pub(crate) struct RowWords<'w> {
    pub(super) words: &'w Words<'w>,
    slots: OnceLock<Slots>,
    /// The sum of all counts, also of rows that limits leave out; in answers for all documents
    /// together.
    pub(crate) total: OnceLock<u64>,
}

impl<'w> RowWords<'w> {
    pub(crate) fn new(words: &'w Words<'w>) -> Self {
        Self { words, slots: OnceLock::new(), total: OnceLock::new() }
    }

    /// The words ready to be copied into lines, made when the first lines are written.
    pub(super) fn slots(&self) -> &Slots {
        self.slots.get_or_init(|| Slots::new(self.words))
    }
}

/// The most rows of a batch.
pub(crate) const MOST_ROWS: usize = 1 << 13;

/// One row: a word or a sequence, its count and its document.
#[derive(Clone, Copy, Debug)]
pub struct BatchRow<'b> {
    words: &'b Words<'b>,
    naming: Naming,
    names: &'b [u32],
    /// Number of occurrences.
    pub count: u64,
    /// The number of the document, or of the unit if the query is by units; `None` for all documents
    /// together. [`Query::row_names`](super::Query::row_names) has the names.
    pub document: Option<u32>,
    /// The number of documents in which the words occur, if the query asks for
    /// [`document_counts`](super::Query::document_counts).
    pub documents: Option<u32>,
    total: Option<u64>,
}

impl Naming {
    /// The text of a word.
    pub(super) fn text<'w>(self, words: &'w Words<'_>, name: u32) -> &'w [u8] {
        match self {
            Self::ByRank => words.text_at(name),
            Self::ByNumber => words.text(name),
        }
    }
}

impl<'w> RowBatch<'w> {
    pub(crate) fn new(words: &'w RowWords<'w>, words_a_row: usize, naming: Naming) -> Self {
        Self {
            words,
            words_a_row,
            naming,
            names: Vec::new(),
            counts: Vec::new(),
            documents: Vec::new(),
            document_counts: Vec::new(),
        }
    }

    /// Adds a row.
    #[inline]
    pub(crate) fn push(
        &mut self,
        names: impl Iterator<Item = u32>,
        count: u64,
        document: Option<u32>,
    ) {
        self.names.extend(names);
        self.counts.push(count);
        self.documents.extend(document);
    }

    /// Notes in how many documents the item of the next row occurs. All rows of a batch have that, or
    /// none.
    pub(crate) fn note_documents(&mut self, documents: Option<u32>) {
        self.document_counts.extend(documents);
    }

    /// Adds rows of one word, by rank: its documents, each with a count.
    pub(crate) fn push_word(&mut self, rank: u32, documents: &[(u32, u32)]) {
        self.names.resize(self.names.len() + documents.len(), rank);
        self.counts.extend(documents.iter().map(|&(_, count)| u64::from(count)));
        self.documents.extend(documents.iter().map(|&(document, _)| document));
    }

    /// Adds rows of packed sequences of ranks, each once in `document`.
    pub(crate) fn push_once<K: Key>(&mut self, keys: &[K], packing: &Packing, document: u32) {
        let (rows, words) = (self.len() + keys.len(), self.words_a_row);
        let start = self.names.len();
        // One resize is faster than a push per word.
        self.names.resize(rows * words, 0);
        for (ranks, key) in self.names[start..].chunks_exact_mut(words).zip(keys) {
            for (place, rank) in ranks.iter_mut().enumerate() {
                *rank = key.word(place, packing);
            }
        }
        self.counts.resize(rows, 1);
        self.documents.resize(rows, document);
    }

    pub(crate) fn clear(&mut self) {
        self.names.clear();
        self.counts.clear();
        self.documents.clear();
        self.document_counts.clear();
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

    /// All words that rows of the answer may have, in the same order in every batch.
    pub fn vocabulary(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let words = self.words.words;
        (0..words.len() as u32).map(move |name| self.naming.text(words, name))
    }

    /// The words of all rows, one row after the other, as places in the
    /// [`vocabulary`](Self::vocabulary).
    #[must_use]
    pub fn word_places(&self) -> &[u32] {
        &self.names
    }

    /// Whether each row has a document.
    #[must_use]
    pub fn has_documents(&self) -> bool {
        !self.documents.is_empty()
    }

    /// The rows.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = BatchRow<'_>> {
        (0..self.len()).map(|row| BatchRow {
            words: self.words.words,
            naming: self.naming,
            names: &self.names[row * self.words_a_row..(row + 1) * self.words_a_row],
            count: self.counts[row],
            document: self.documents.get(row).copied(),
            documents: self.document_counts.get(row).copied(),
            total: self.words.total.get().copied(),
        })
    }
}

impl<'b> BatchRow<'b> {
    /// The count per million: of all words, or of all sequences, that the query counts. `None` where
    /// rows have a document.
    #[must_use]
    pub fn per_million(&self) -> Option<f64> {
        per_million(self.count, self.total)
    }

    /// The sum of the counts of all rows, also of those that limits leave out.
    pub(super) fn total(&self) -> Option<u64> {
        self.total
    }

    /// The words' texts, in order.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &'b [u8]> + use<'b> {
        let (words, naming) = (self.words, self.naming);
        self.names.iter().map(move |&name| naming.text(words, name))
    }

    /// The words' texts with a space between them.
    #[must_use]
    pub fn text(&self) -> Vec<u8> {
        self.words().collect::<Vec<_>>().join(&b' ')
    }
}

/// A count per million of a total.
pub(super) fn per_million(count: u64, total: Option<u64>) -> Option<f64> {
    total.map(|total| count as f64 * 1e6 / total.max(1) as f64)
}
