//! A corpus file that is about to be replaced by another, together with its edits.

use super::journal;
use super::lock::WriterLock;
use crate::error::Error;
use std::path::{Path, PathBuf};

/// Keeps everybody from editing a corpus until it has been replaced.
pub struct Replaced {
    /// The journal to be removed, and the lock; nothing if there are no edits.
    journal: Option<(PathBuf, WriterLock)>,
}

impl Replaced {
    /// Prepares for the replacement of the file at `path`, which need not exist.
    ///
    /// # Errors
    /// [`Error::Locked`] when another process edits it.
    pub fn prepare(path: &Path) -> Result<Self, Error> {
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let journal = journal::path_of(&path);
        if !journal.exists() {
            return Ok(Self { journal: None });
        }
        Ok(Self { journal: Some((journal, WriterLock::take(&path)?)) })
    }

    /// Removes the edits of the file that has been replaced.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn finish(self) -> Result<(), Error> {
        let Some((journal, _lock)) = self.journal else { return Ok(()) };
        std::fs::remove_file(&journal).map_err(Error::io("remove", &journal))
    }
}
