//! Failures of co-occurrence counts.

/// Why co-occurrences cannot be counted as asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CooccurrenceError {
    /// The window is empty, or sums in it would not be exact.
    #[error(
        "a window of {window} words is not possible; choose from 1 to {most} \
         (the most is 46, or 10,000 with flat weights)"
    )]
    BadWindow {
        /// The words asked for.
        window: usize,
        /// The most words with this weighting.
        most: usize,
    },
    /// The chosen documents have no words in this view.
    #[error("the chosen documents have no words; choose others, or a view that leaves out fewer")]
    NoWords,
    /// Every word is left out by the limits.
    #[error("none of the {words} distinct words occurs {min_count} times; lower the minimum count")]
    NoWordsLeft {
        /// The distinct words of the chosen documents.
        words: u64,
        /// The fewest occurrences asked for.
        min_count: u64,
    },
    /// A limit of no words.
    #[error("a vocabulary of at most 0 words was asked for; keep at least one")]
    EmptyVocabulary,
    /// Only one half of a matrix that is not symmetric was asked for.
    #[error("only a symmetric matrix has an upper triangle that says it all; count both sides")]
    NotSymmetric,
    /// The view does not know where lines end.
    #[error(
        "scikit-learn's words do not know where lines end; \
         use the boundary `document`, or words of the default pattern"
    )]
    NoLines,
}
