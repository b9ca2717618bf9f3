//! Failures of editing and compacting.

use super::{AccessError, CompressError, FileError, NoDocument, OpenError, UnusableName};
use std::path::PathBuf;

/// Why a corpus cannot be edited or compacted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The corpus cannot be opened, or the text at the place of the edit not be read.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// Another document has this name.
    #[error("there is a document {name} already")]
    NameTaken {
        /// The name; bytes that are not UTF-8 are replaced.
        name: String,
    },
    /// A document's name cannot be the name of a file.
    #[error(transparent)]
    UnusableName(#[from] UnusableName),
    /// Documents that are lines of JSON Lines files can be edited, but not added or removed.
    #[error("documents of this corpus are lines of JSON Lines files and cannot be {what}")]
    LinesStay {
        /// What was to be done: "added", "removed".
        what: &'static str,
    },
    /// Another process edits the corpus.
    #[error("{} is being edited by {holder}", path.display())]
    Locked {
        /// The corpus file.
        path: PathBuf,
        /// Who that is.
        holder: String,
    },
    /// The corpus is in several files.
    #[error(
        "{} is a folder, and edits go to one file: open the file that has the document",
        path.display()
    )]
    Shards {
        /// The folder.
        path: PathBuf,
    },
    /// The corpus was opened for reading.
    #[error("{} was opened for reading, not for editing", path.display())]
    OnlyReading {
        /// The corpus file.
        path: PathBuf,
    },
    /// The lock, the journal or the new corpus file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// The compacted corpus cannot be written.
    #[error(transparent)]
    Compress(CompressError),
}

impl EditError {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Compress(error) if error.is_interrupted())
    }
}

impl From<OpenError> for EditError {
    fn from(error: OpenError) -> Self {
        Self::Access(error.into())
    }
}

impl From<NoDocument> for EditError {
    fn from(error: NoDocument) -> Self {
        Self::Access(error.into())
    }
}

impl From<CompressError> for EditError {
    fn from(error: CompressError) -> Self {
        match error {
            CompressError::File(error) => Self::File(error),
            other => Self::Compress(other),
        }
    }
}

/// The operation for which a transaction is refused.
#[derive(Debug, thiserror::Error)]
#[error("operation {} of the batch cannot be done; none was: {source}", operation + 1)]
pub struct TransactionError {
    /// Its index in the transaction.
    pub operation: usize,
    /// Why.
    pub source: EditError,
}
