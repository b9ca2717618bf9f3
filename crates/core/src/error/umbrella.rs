//! One type for the failures of all operations.

use super::{
    AccessError, CompressError, DecompressError, EditError, OpenError, QueryError, ReshardError,
    TransactionError,
};
use crate::input::InputError;

/// Any failure of this library, for programs that want one type: `?` converts from every other error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A corpus cannot be opened, loaded or verified.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// A document cannot be read or searched.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// A query has no answer.
    #[error(transparent)]
    Query(#[from] QueryError),
    /// A corpus cannot be compressed.
    #[error(transparent)]
    Compress(#[from] CompressError),
    /// A corpus cannot be decompressed.
    #[error(transparent)]
    Decompress(#[from] DecompressError),
    /// A corpus cannot be edited or compacted.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A corpus cannot be merged or split.
    #[error(transparent)]
    Reshard(#[from] ReshardError),
    /// A transaction is refused.
    #[error(transparent)]
    Transaction(#[from] TransactionError),
}

impl Error {
    /// Whether the work was asked to stop, rather than failed.
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        match self {
            Self::Open(error) => error.is_interrupted(),
            Self::Query(error) => error.is_interrupted(),
            Self::Compress(error) => error.is_interrupted(),
            Self::Decompress(error) => error.is_interrupted(),
            Self::Edit(error) => error.is_interrupted(),
            Self::Reshard(error) => error.is_interrupted(),
            Self::Access(_) | Self::Transaction(_) => false,
        }
    }
}

impl From<InputError> for Error {
    fn from(error: InputError) -> Self {
        Self::Compress(error.into())
    }
}
