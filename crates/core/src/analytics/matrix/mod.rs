//! Matrices of documents and terms.
//!
//! [`Corpus::term_matrix`] asks for the matrix whose rows are documents and whose columns are words
//! or n-grams. [`prepare`](Query::prepare) counts all documents once and chooses the columns. The
//! counts stay in memory if they fit there; otherwise the rows are counted a second time, segment by
//! segment, when they are asked for.

mod columns;
mod lexicon;
pub(crate) mod logarithm;
mod ngrams;
mod rows;
mod run;
mod sparse;
mod tf_idf;

pub(super) use lexicon::{Numbering, WordNumbers, rank_of};
pub(super) use rows::KeptRows;
pub use run::MatrixRun;
pub(super) use run::scan;
pub use sparse::{Matrix, Terms};
pub use tf_idf::{Norm, SklearnTfIdf, TfIdf, WeightedRun};

use super::limits::DocumentLimit;
use super::query::Query;
use super::units::{self, Units};
use crate::corpus::Corpus;
use columns::Limits;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Asks for the counts of terms in each document, as a sparse matrix. Terms are words, or n-grams, in
/// the order of their bytes.
#[derive(Clone, Debug)]
pub struct TermMatrix {
    /// Words in a term.
    lengths: RangeInclusive<usize>,
    gaps: bool,
    limits: Limits,
    vocabulary: Option<Arc<Terms>>,
    units: Option<Units>,
}

impl Default for TermMatrix {
    fn default() -> Self {
        let limits = Limits::default();
        Self { lengths: 1..=1, gaps: false, limits, vocabulary: None, units: None }
    }
}

impl Corpus {
    /// Asks for the matrix of documents and words, or [n-grams](Query::ngrams). [`prepare`](Query::prepare) chooses the columns.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # use zgram::analytics::DocumentLimit;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let corpus = Corpus::open("news.zgram")?;
    /// let run = corpus.term_matrix().sklearn().lower().min_docs(DocumentLimit::Count(5)).prepare()?;
    /// let matrix = run.collect()?;
    /// println!("{} x {}, {} cells", matrix.rows(), matrix.width, matrix.cells());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn term_matrix(&self) -> Query<'_, TermMatrix> {
        Query::new(self, TermMatrix::default())
    }
}

/// The limits on documents have the meaning of scikit-learn's `min_df` and `max_df`. No limit
/// applies to a given [vocabulary](Query::vocabulary).
impl Query<'_, TermMatrix> {
    /// Terms are n-grams of this many words, from 1 to 100: as scikit-learn's `ngram_range`. Their
    /// words are joined by a space.
    #[must_use]
    #[doc(alias = "ngram_range")]
    pub fn ngrams(mut self, words: RangeInclusive<usize>) -> Self {
        self.question.lengths = words;
        self
    }

    /// Lets n-grams skip words that the view leaves out. By default such a word ends an n-gram, so that
    /// the words of an n-gram are neighbours in the text. The scikit-learn view always skips them, as
    /// scikit-learn does.
    #[must_use]
    pub fn gaps(mut self) -> Self {
        self.question.gaps = true;
        self
    }

    /// Leaves out terms that occur in fewer documents.
    #[must_use]
    #[doc(alias = "min_df")]
    pub fn min_docs(mut self, limit: DocumentLimit) -> Self {
        self.question.limits.terms.min_docs = Some(limit);
        self
    }

    /// Leaves out terms that occur in more documents.
    #[must_use]
    #[doc(alias = "max_df")]
    pub fn max_docs(mut self, limit: DocumentLimit) -> Self {
        self.question.limits.terms.max_docs = Some(limit);
        self
    }

    /// Leaves out terms with fewer occurrences in all documents together.
    #[must_use]
    pub fn min_count(mut self, count: u64) -> Self {
        self.question.limits.terms.min_count = count;
        self
    }

    /// Keeps only the terms with the most occurrences. Among terms with equally many, those that come
    /// first in the order of bytes are kept. (scikit-learn keeps any of them: its sort is not stable.)
    #[must_use]
    pub fn max_features(mut self, terms: usize) -> Self {
        self.question.limits.max_features = Some(terms);
        self
    }

    /// Uses these terms as columns, in this order, whether they occur or not; at least one must
    /// occur. Terms must be written as the view shows them.
    #[must_use]
    pub fn vocabulary(mut self, terms: Terms) -> Self {
        self.question.vocabulary = Some(Arc::new(terms));
        self
    }

    /// Cells say only whether a term occurs: all values are 1.
    #[must_use]
    pub fn binary(mut self) -> Self {
        self.question.limits.is_binary = true;
        self
    }

    /// Rows are units of several documents, in the order of their first documents. Limits on
    /// documents then count units.
    #[must_use]
    pub fn by(mut self, units: Units) -> Self {
        self.question.units = Some(units);
        self
    }
}
