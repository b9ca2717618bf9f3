//! Failures of reading and searching documents.

use super::query::AcceleratorError;
use super::{BadPattern, FileError, NoDocument, OpenError, PhraseIndexError};

/// Why a document cannot be read or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AccessError {
    /// A part of the corpus cannot be loaded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// No document has this name or number.
    #[error(transparent)]
    NoDocument(#[from] NoDocument),
    /// A pattern for document names is malformed.
    #[error(transparent)]
    BadPattern(#[from] BadPattern),
    /// An offset is past the end of a document.
    #[error("offset {offset} is past the end of {document}, which has {size} bytes")]
    OutOfRange {
        /// The document's name; bytes that are not UTF-8 are replaced.
        document: String,
        /// The offset.
        offset: u64,
        /// The document's size.
        size: u64,
    },
    /// There is nothing to search for.
    #[error("there is no word to search for: words are made of letters and digits")]
    EmptyPhrase,
    /// A phrase occurs too often for a list of all its matches.
    #[error("there are more than {most} matches, too many for one list; take them one by one")]
    TooManyMatches {
        /// How many are possible.
        most: usize,
    },
    /// The phrase index of a segment cannot be built.
    #[error(transparent)]
    PhraseIndex(#[from] PhraseIndexError),
    /// The text cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// An accelerator failed.
    #[error("the GPU did not answer: {source}")]
    Accelerator {
        /// Why.
        source: AcceleratorError,
    },
}
