//! Failures of ranking documents.

/// Why documents cannot be ranked as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RankError {
    /// The query has no words.
    #[error("the query has no words; give at least one, made of letters or digits")]
    NoWords,
    /// The view leaves out every word of the query.
    #[error(
        "the view leaves out every word of the query; give others, or a view that leaves out fewer"
    )]
    WordsLeftOut,
    /// The chosen documents have no words in this view.
    #[error("the chosen documents have no words; choose others, or a view that leaves out fewer")]
    NoWordsInDocuments,
    /// An answer of no rows was asked for.
    #[error("an answer of at most 0 documents was asked for; ask for at least one")]
    NoRows,
    /// A word is not in the index of a ranker that was made for other words.
    #[error("the ranker was made for other words than {word:?}; make one for all words")]
    NotIndexed {
        /// The word as the view shows it.
        word: String,
    },
    /// The parameter k1 makes no sense.
    #[error("k1 is {k1}; give a number of at least 0, such as 1.5")]
    BadK1 {
        /// The parameter.
        k1: f64,
    },
    /// The parameter b makes no sense.
    #[error("b is {b}; give a number from 0 to 1, such as 0.75")]
    BadB {
        /// The parameter.
        b: f64,
    },
    /// The parameter delta makes no sense.
    #[error("delta is {delta}; give a number of at least 0, such as 0.5")]
    BadDelta {
        /// The parameter.
        delta: f64,
    },
}
