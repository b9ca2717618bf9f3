//! Failures of training.

use crate::readable;
use zgram::error::{OpenError, QueryError};
use zgram::progress::Interrupted;

/// Why word vectors cannot be trained as asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Word2VecError {
    /// The corpus cannot be read.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// The chosen documents have no words in this view.
    #[error("the chosen documents have no words; choose others, or a view that leaves out fewer")]
    NoWords,
    /// No word occurs often enough.
    #[error(
        "none of the {words} distinct words occurs {min_count} times; \
         the most frequent one occurs {most} times"
    )]
    NoWordsLeft {
        /// The distinct words of the chosen documents.
        words: usize,
        /// The occurrences asked for.
        min_count: u64,
        /// The occurrences of the most frequent word.
        most: u64,
    },
    /// An option has a value that makes no sense.
    #[error("{option} must be {expected}, not {}", readable(.found))]
    BadOption {
        /// The option, as the method and the command line name it.
        option: &'static str,
        /// Which values make sense.
        expected: &'static str,
        /// The value found.
        found: f64,
    },
    /// Memory does not suffice for the vectors.
    #[error(
        "{words} words of {size} numbers need {bytes} bytes of memory; \
         raise the minimum count, limit the vocabulary or lower the size"
    )]
    TooLarge {
        /// The words of the vocabulary.
        words: usize,
        /// The numbers of a vector.
        size: usize,
        /// The memory that both layers need.
        bytes: u64,
    },
    /// The training was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl Word2VecError {
    /// Whether the training was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::Interrupted(_) => true,
            Self::Query(error) => error.is_interrupted(),
            _ => false,
        }
    }
}

impl From<OpenError> for Word2VecError {
    fn from(error: OpenError) -> Self {
        Self::Query(error.into())
    }
}
