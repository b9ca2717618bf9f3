//! Failures of opening, loading and verifying a corpus.

use super::FileError;
use crate::features::MissingFeature;
use crate::format::ContainerError;
use crate::progress::Interrupted;
use crate::token::DictionaryError;
use std::path::PathBuf;

/// Why a corpus cannot be opened, loaded or verified.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The operating system refused something.
    #[error(transparent)]
    File(#[from] FileError),
    /// The corpus file is damaged, foreign or from a newer version.
    #[error("{}: {source}", path.display())]
    Container {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: ContainerError,
    },
    /// A folder has no corpus files.
    #[error("{}: no .zgram files are in this folder", path.display())]
    NoShards {
        /// The folder.
        path: PathBuf,
    },
    /// Several files cannot be opened as one corpus.
    #[error("{}: {what}", path.display())]
    Shards {
        /// The folder, or a name for the list of files.
        path: PathBuf,
        /// Why.
        what: String,
    },
    /// The journal beside the corpus file cannot be used.
    #[error("the journal {} cannot be used: {what}", path.display())]
    Journal {
        /// The journal.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// Edits of a document cannot be applied, since its text in the corpus file is damaged.
    #[error(
        "cannot apply the journal {}: {cause}. Other documents can still be read",
        journal.display()
    )]
    Unapplied {
        /// The journal.
        journal: PathBuf,
        /// What is damaged.
        cause: String,
    },
    /// With its pending edits, the corpus has too many distinct tokens.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The corpus file needs a part of the library that this build leaves out.
    #[error(transparent)]
    MissingFeature(#[from] MissingFeature),
    /// Verifying was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl OpenError {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_))
    }
}
