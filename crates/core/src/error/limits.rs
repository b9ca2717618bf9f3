//! Limits that make no sense.

/// Why terms cannot be limited as asked.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LimitError {
    /// A share of documents that is not between 0 and 1.
    #[error("{share} is not a share of documents; give a number from 0.0 to 1.0")]
    BadShare {
        /// The share.
        share: f64,
    },
    /// No number of documents is within both limits.
    #[error(
        "the maximum of {most} documents per term is below the minimum of {least}; \
         raise the maximum or lower the minimum"
    )]
    Cross {
        /// The minimum, in documents.
        least: f64,
        /// The maximum, in documents.
        most: f64,
    },
}
