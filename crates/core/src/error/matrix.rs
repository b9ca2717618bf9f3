//! Failures of term matrices.

use super::LimitError;

/// Why a term matrix cannot be made as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// The chosen documents have no words in this view.
    #[error("the chosen documents have no words; choose others, or a view that leaves out fewer")]
    NoWords,
    /// Every term is left out by the limits.
    #[error(
        "none of the {terms} distinct terms meets the limits on documents and counts; \
         lower the minimum or raise the maximum"
    )]
    NoTermsLeft {
        /// The distinct terms of the chosen documents.
        terms: u64,
    },
    /// No term of the given vocabulary occurs.
    #[error(
        "none of the {terms} terms of the vocabulary occurs in the chosen documents; \
         write terms as the view shows them, for example in lower case"
    )]
    NoTermOccurs {
        /// The terms of the vocabulary.
        terms: usize,
    },
    /// The given vocabulary is empty.
    #[error("the vocabulary is empty; give at least one term")]
    EmptyVocabulary,
    /// The given vocabulary has a term twice.
    #[error("the vocabulary has the term {term:?} twice")]
    DuplicateTerm {
        /// The term; bytes that are not UTF-8 are replaced.
        term: String,
    },
    /// There are no n-grams of this many words.
    #[error(
        "n-grams of {from} to {to} words are not possible; \
         choose from 1 to {most} words, the smaller number first"
    )]
    BadNgrams {
        /// The fewest words asked for.
        from: usize,
        /// The most words asked for.
        to: usize,
        /// The most words that are possible.
        most: usize,
    },
    /// Limits on documents make no sense.
    #[error(transparent)]
    Limits(#[from] LimitError),
    /// A limit of no columns.
    #[error("a matrix of at most 0 columns was asked for; keep at least one")]
    NoFeatures,
    /// There are more terms than column numbers.
    #[error("there are more than {most} distinct terms; set a limit, or use shorter n-grams")]
    TooManyTerms {
        /// The most terms that are possible.
        most: u64,
    },
}
