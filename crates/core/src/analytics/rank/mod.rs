//! Documents ranked for a query of words: BM25.
//!
//! [`Corpus::rank`] asks for the best documents for some words. [`Corpus::ranker`] makes a [`Ranker`],
//! which indexes all words once and then answers any number of queries.

mod index;
mod ranker;
mod scoring;

pub use ranker::{Ranked, Ranker, WordScore};
pub use scoring::Bm25Variant;

use super::query::Query;
use crate::corpus::Corpus;
use crate::error::QueryError;
use scoring::Scoring;

/// Ranks documents by BM25. The words of the view are the words of queries and documents alike, and
/// the chosen documents are ranked as a corpus of their own: only they count for averages and for how
/// rare a word is.
#[derive(Clone, Debug, Default)]
pub struct Bm25 {
    scoring: Scoring,
    /// The words of the one query that is asked; `None` if any may be asked.
    words: Option<Vec<String>>,
}

/// Documents in an answer, unless [`top`](Query::top) says otherwise.
const DEFAULT_ROWS: usize = 10;

impl Corpus {
    /// Asks for the documents that match some words best. A text with several words counts as these
    /// words, one by one. A word that is given twice counts twice.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let corpus = Corpus::open("news.zgram")?;
    /// for found in corpus.rank(["space", "shuttle"]).lower().top(5).ranked()? {
    ///     println!("{:.3} document {}", found.score, found.document);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn rank<W: Into<String>>(&self, words: impl IntoIterator<Item = W>) -> Query<'_, Bm25> {
        let words = words.into_iter().map(Into::into).collect();
        Query::new(self, Bm25 { words: Some(words), ..Bm25::default() })
    }

    /// Asks for a [`Ranker`], which answers many queries. [`prepare`](Query::prepare) makes it.
    ///
    /// ```no_run
    /// # use zgram::Corpus;
    /// # fn main() -> Result<(), zgram::Error> {
    /// let corpus = Corpus::open("news.zgram")?;
    /// let ranker = corpus.ranker().lower().prepare()?;
    /// let best = ranker.rank(&["space", "shuttle"], 10)?;
    /// let others = ranker.rank(&["hockey"], 10)?;
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn ranker(&self) -> Query<'_, Bm25> {
        Query::new(self, Bm25::default())
    }
}

impl<'c> Query<'c, Bm25> {
    /// Uses this variant of BM25; Lucene's by default.
    #[must_use]
    pub fn variant(mut self, variant: Bm25Variant) -> Self {
        self.question.scoring.variant = variant;
        self
    }

    /// How much each further occurrence of a word counts: 0 if only the first one does. At least 0, 1.5
    /// by default.
    #[must_use]
    pub fn k1(mut self, k1: f64) -> Self {
        self.question.scoring.k1 = k1;
        self
    }

    /// How much the length of a document counts, from 0 to 1; 0.75 by default.
    #[must_use]
    pub fn b(mut self, b: f64) -> Self {
        self.question.scoring.b = b;
        self
    }

    /// What [BM25+](Bm25Variant::Plus) and [BM25L](Bm25Variant::L) add to each word; at least 0, 0.5 by
    /// default.
    #[must_use]
    pub fn delta(mut self, delta: f64) -> Self {
        self.question.scoring.delta = delta;
        self
    }

    /// Indexes the words: those of [`rank`](Corpus::rank) only, or all. The index takes eight bytes for
    /// each word of each document, whatever [`memory`](Query::memory) says.
    ///
    /// # Errors
    /// [`QueryError::Rank`] when a parameter makes no sense, the query has no words or the documents have
    /// none; any other error when the corpus is damaged or the query cannot be answered.
    pub fn prepare(&self) -> Result<Ranker<'c>, QueryError> {
        let Bm25 { scoring, words } = &self.question;
        Ranker::new(self.corpus, &self.options, *scoring, words.as_deref())
    }

    /// The best documents for the words of [`rank`](Corpus::rank): ten, or as [`top`](Query::top) says.
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`Ranker::rank`].
    pub fn ranked(&self) -> Result<Vec<Ranked>, QueryError> {
        let words = self.question.words.as_deref().unwrap_or_default();
        self.prepare()?.rank(words, self.options.top.unwrap_or(DEFAULT_ROWS))
    }
}
