//! A corpus file that is about to be replaced by another, together with its edits.

use super::journal;
use super::lock::WriterLock;
use super::words;
use crate::error::Error;
use std::path::{Path, PathBuf};

/// Keeps everybody from editing a corpus until it has been replaced.
pub struct Replaced {
    /// The journal to be removed with what is beside it, and the lock; nothing if there are no edits.
    files: Option<(PathBuf, PathBuf, WriterLock)>,
}

impl Replaced {
    /// Prepares for the replacement of the file at `path`, which need not exist.
    ///
    /// # Errors
    /// [`Error::Locked`] when another process edits it.
    pub fn prepare(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let journal = journal::path_of(&path);
        if !journal.exists() {
            return Ok(Self { files: None });
        }
        let words = words::file::path_of(&path);
        Ok(Self { files: Some((journal, words, WriterLock::take(&path)?)) })
    }

    /// Removes the edits of the file that has been replaced.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn finish(self) -> Result<(), Error> {
        let Some((journal, words, _lock)) = self.files else { return Ok(()) };
        // Without the journal it means nothing.
        let _ = std::fs::remove_file(words);
        std::fs::remove_file(&journal).map_err(Error::io("remove", &journal))
    }
}
