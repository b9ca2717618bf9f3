//! How often words occur near each other.
//!
//! A word's *row* has a cell for each word that occurs within a window of it; the cell is the sum of the
//! weights of all such pairs. The definitions are those of GloVe's `cooccur` program: words outside the
//! vocabulary are removed before distances are counted, and no pair crosses a boundary. Where both sides
//! count, a word beside itself adds to its cell twice.
//!
//! Rows are counted one after the other, each in a dense array (the dense part of figure 10 in
//! tadoc, for every word in turn), and leave as sorted cells (its sparse part). Nothing is hashed and
//! nothing sorted:
//!
//! ```text
//!  totals of words ──► vocabulary: ranks by falling count        vocabulary.rs
//!  documents ────────► text: ranks in order, with breaks         flat.rs
//!       or rules ────► text: what spans the symbols of a rule,
//!                      with the rule's uses                      by_rule.rs
//!  text ─────────────► places of each word, by counting sort     text.rs
//!  places ───────────► one row after the other, on threads       rows.rs, dense_row.rs
//!  rows ─────────────► sums / L                                  weights.rs
//! ```
//!
//! A text that exceeds the memory is cut into blocks. The rows of each block are stored in a temporary
//! file and added up at the end (`runs.rs`).

mod by_rule;
mod collocates;
mod dense_row;
mod flat;
mod method;
mod rows;
mod run;
mod runs;
mod text;
mod vocabulary;
mod weights;

pub use collocates::{Collocate, CollocateMeasure, Collocates};
pub use run::CooccurrenceRun;

use super::query::Query;
use crate::corpus::Corpus;

/// Asks how often words occur near each other, as a square matrix. Rows are words, columns are the words
/// near them; both are in the order of falling counts, and words of one count in the order of their
/// bytes.
#[derive(Clone, Debug)]
pub struct Cooccurrence {
    window: usize,
    weighting: Weighting,
    side: Side,
    boundary: Boundary,
    min_count: u64,
    max_vocab: Option<usize>,
    upper_triangle: bool,
}

/// What a pair of words adds to its cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// One divided by the distance, which is 1 for neighbours.
    #[default]
    Inverse,
    /// One at any distance.
    Flat,
}

/// What no pair of words crosses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Boundary {
    /// The end of a document.
    #[default]
    Document,
    /// The end of a line, as in GloVe's program.
    Line,
}

/// On which side of a word its row counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Side {
    #[default]
    Both,
    Left,
    Right,
}

impl Side {
    fn has_left(self) -> bool {
        self != Self::Right
    }

    fn has_right(self) -> bool {
        self != Self::Left
    }
}

impl Default for Cooccurrence {
    fn default() -> Self {
        Self {
            window: 15,
            weighting: Weighting::default(),
            side: Side::default(),
            boundary: Boundary::default(),
            min_count: 1,
            max_vocab: None,
            upper_triangle: false,
        }
    }
}

impl Corpus {
    /// Asks how often words occur near each other. [`prepare`](Query::prepare) chooses the vocabulary.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let corpus = Corpus::open("books.zgram")?;
    /// let run = corpus.cooccurrence().lower().window(10).min_count(5).prepare()?;
    /// let (matrix, words) = (run.collect()?, run.terms());
    /// let (columns, values) = matrix.row(0);
    /// for (&column, value) in columns.iter().zip(values) {
    ///     let near = String::from_utf8_lossy(words.get(column as usize));
    ///     println!("{near} {value}");
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn cooccurrence(&self) -> Query<'_, Cooccurrence> {
        Query::new(self, Cooccurrence::default())
    }
}

/// The same with any [`traversal`](Query::traversal): the answer does not depend on it. By
/// [`Stream`](super::Traversal::Stream), pairs are counted word by word; by any other, a rule's pairs are
/// counted once and multiplied by the rule's uses, which is faster on text that repeats. Left to itself,
/// the selector decides.
impl Query<'_, Cooccurrence> {
    /// Counts pairs at most this many words apart; 15 unless set. From 1 to 46 words, or to 10,000 with
    /// [`Weighting::Flat`].
    #[must_use]
    pub fn window(mut self, words: usize) -> Self {
        self.question.window = words;
        self
    }

    /// What a pair adds to its cell.
    #[must_use]
    pub fn weighting(mut self, weighting: Weighting) -> Self {
        self.question.weighting = weighting;
        self
    }

    /// A row counts the words on both sides of its word, so the matrix is symmetric. This is the
    /// default.
    #[must_use]
    pub fn symmetric(mut self) -> Self {
        self.question.side = Side::Both;
        self
    }

    /// A row counts only the words to the left of its word.
    #[must_use]
    pub fn left(mut self) -> Self {
        self.question.side = Side::Left;
        self
    }

    /// A row counts only the words to the right of its word.
    #[must_use]
    pub fn right(mut self) -> Self {
        self.question.side = Side::Right;
        self
    }

    /// What no pair crosses.
    #[must_use]
    pub fn boundary(mut self, boundary: Boundary) -> Self {
        self.question.boundary = boundary;
        self
    }

    /// Drops words with fewer occurrences, as if the text did not have them.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.question.min_count = count;
        self
    }

    /// Keeps only the most frequent words. Among words of one count, those that come first in the order of
    /// bytes are kept.
    #[must_use]
    pub fn max_vocab(mut self, words: usize) -> Self {
        self.question.max_vocab = Some(words);
        self
    }

    /// Keeps of a symmetric matrix only the cells on the diagonal and right of it.
    #[must_use]
    pub fn upper_triangle(mut self) -> Self {
        self.question.upper_triangle = true;
        self
    }
}
