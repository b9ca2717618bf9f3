//! Failures of merging and splitting.

use super::{CompressError, FileError, OpenError};
use std::path::PathBuf;

/// Why the files of a corpus cannot be merged, or a file not be split.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReshardError {
    /// A part of the corpus cannot be loaded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A new file cannot be made.
    #[error(transparent)]
    Compress(CompressError),
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file to write exists.
    #[error("{} exists already", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// The folder to split into has another corpus file, which would become part of the corpus.
    #[error(
        "{} would become part of the corpus in this folder; name another folder",
        path.display()
    )]
    OtherShard {
        /// The file.
        path: PathBuf,
    },
    /// A document is in one file only.
    #[error("{documents} documents cannot be split into {files} files")]
    TooFewDocuments {
        /// Number of documents.
        documents: u64,
        /// Number of files that were asked for.
        files: u64,
    },
}

impl ReshardError {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::Open(error) => error.is_interrupted(),
            Self::Compress(error) => error.is_interrupted(),
            _ => false,
        }
    }
}

impl From<CompressError> for ReshardError {
    fn from(error: CompressError) -> Self {
        match error {
            CompressError::File(error) => Self::File(error),
            other => Self::Compress(other),
        }
    }
}
