//! Failures of decompression.

use super::{FileError, NoDocument, OpenError, UnusableName};
use crate::progress::Interrupted;
use std::path::PathBuf;

/// Why a corpus cannot be decompressed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecompressError {
    /// A part of the corpus cannot be loaded.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// No document has this number.
    #[error(transparent)]
    NoDocument(#[from] NoDocument),
    /// A document's name cannot be the name of a file.
    #[error(transparent)]
    UnusableName(#[from] UnusableName),
    /// A file of this name exists already.
    #[error("{} exists already", path.display())]
    OutputExists {
        /// The file.
        path: PathBuf,
    },
    /// A file or folder cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// Decompression was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl DecompressError {
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
