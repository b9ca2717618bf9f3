//! Failures of analytics queries.

use super::{
    AccessError, BadPattern, CooccurrenceError, FileError, KeynessError, LimitError, MatrixError,
    NoDocument, OpenError, RankError,
};
use crate::features::MissingFeature;
use crate::progress::Interrupted;
use std::io;

/// Why an accelerator failed.
pub type AcceleratorError = Box<dyn std::error::Error + Send + Sync>;

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// A part of the corpus cannot be loaded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A phrase cannot be looked up.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// No document has this name or number.
    #[error(transparent)]
    NoDocument(#[from] NoDocument),
    /// A pattern for document names is malformed.
    #[error(transparent)]
    BadPattern(#[from] BadPattern),
    /// A sequence of fewer than two words was asked for.
    #[error("a sequence has at least two words, not {n}; for single words there is word count")]
    SequenceTooShort {
        /// The requested length in words.
        n: usize,
    },
    /// Under the view, too many words of the corpus match the words of a phrase.
    #[error("there are more than {most} ways to spell this; search for fewer words at once")]
    TooManySpellings {
        /// The limit.
        most: usize,
    },
    /// A language has no list of stop words.
    #[error("there is no list of stop words for {language}")]
    NoStopWords {
        /// The language.
        language: &'static str,
    },
    /// No document's name matches the pattern of units.
    #[error("no document's name matches the pattern {pattern}")]
    NoUnit {
        /// The pattern.
        pattern: String,
    },
    /// Limits on documents make no sense.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// A term matrix has no columns or no rows.
    #[error(transparent)]
    Matrix(#[from] MatrixError),
    /// Words cannot be compared as asked.
    #[error(transparent)]
    Keyness(#[from] KeynessError),
    /// Documents cannot be ranked as asked.
    #[error(transparent)]
    Rank(#[from] RankError),
    /// Co-occurrences cannot be counted as asked.
    #[error(transparent)]
    Cooccurrence(#[from] CooccurrenceError),
    /// The query needs a part of the library that this build leaves out.
    #[error(transparent)]
    MissingFeature(#[from] MissingFeature),
    /// An accelerator failed.
    #[error("the GPU did not answer: {source}")]
    Accelerator {
        /// Why.
        source: AcceleratorError,
    },
    /// A temporary file cannot be written or read back.
    #[error(transparent)]
    File(#[from] FileError),
    /// The consumer of the rows failed. Consumers return it; the library never does.
    #[error("{source}")]
    Output {
        /// Why.
        source: io::Error,
    },
    /// The caller interrupted the query.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl QueryError {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::Interrupted(_) => true,
            Self::Open(error) => error.is_interrupted(),
            _ => false,
        }
    }
}
