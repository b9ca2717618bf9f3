//! Failures of compression.

use super::{FileError, PhraseIndexError};
use crate::features::MissingFeature;
use crate::input::InputError;
use crate::progress::Interrupted;
use crate::token::DictionaryError;
use std::path::PathBuf;

/// Why a corpus cannot be compressed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CompressError {
    /// The documents cannot be read.
    #[error(transparent)]
    Input(InputError),
    /// A file cannot be written, or a temporary one not read back.
    #[error(transparent)]
    File(#[from] FileError),
    /// The documents have too many distinct tokens.
    #[error(transparent)]
    Dictionary(#[from] DictionaryError),
    /// The memory ceiling is too low for these documents.
    #[error(
        "the {tokens} distinct tokens, the document names and the envelopes of JSON lines take \
         {needed} bytes, more than three eighths of the memory ceiling of {ceiling} bytes; \
         raise the ceiling or split the corpus"
    )]
    MemoryCeiling {
        /// Distinct tokens so far.
        tokens: usize,
        /// Bytes that tokens, document names and envelopes take.
        needed: u64,
        /// The ceiling.
        ceiling: u64,
    },
    /// Two documents have one name.
    #[error("the name {name:?} occurs twice: document {first} and document {second} have it")]
    DuplicateName {
        /// The name; bytes that are not UTF-8 are replaced.
        name: String,
        /// The first of them, counted from 1.
        first: u64,
        /// The second.
        second: u64,
    },
    /// The corpus file to be replaced has edits that are not in it yet.
    #[error("{} has edits that would be lost", journal.display())]
    PendingEdits {
        /// The journal.
        journal: PathBuf,
    },
    /// The phrase index of a segment cannot be built.
    #[error(transparent)]
    PhraseIndex(#[from] PhraseIndexError),
    /// The options need a part of the library that this build leaves out.
    #[error(transparent)]
    MissingFeature(#[from] MissingFeature),
    /// Compression was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}

impl CompressError {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        matches!(self, Self::Interrupted(_))
    }
}

impl From<InputError> for CompressError {
    fn from(error: InputError) -> Self {
        match error {
            InputError::Interrupted(interrupted) => Self::Interrupted(interrupted),
            other => Self::Input(other),
        }
    }
}
