//! Replacing a corpus file by another one, together with its edits.

use crate::beside;
use crate::corpus::Corpus;
use crate::durable::{folder_of, sync_folder};
use crate::error::{EditError, FileError};
use crate::store::edit::Edit;
use crate::store::journal::{self, Owner};
use crate::store::lock::WriterLock;
use std::path::{Path, PathBuf};

/// Keeps everybody from editing a corpus while another file takes its place.
pub struct ReplaceGuard {
    /// The corpus file and the lock on it; nothing if there is no journal.
    locked: Option<(PathBuf, WriterLock)>,
    edits: Option<u64>,
}

impl ReplaceGuard {
    /// Prepares for the replacement of the file at `path`, which need not exist.
    ///
    /// # Errors
    /// [`EditError::Locked`] when another process edits it; or when the journal cannot be read.
    pub fn prepare(path: impl AsRef<Path>) -> Result<Self, EditError> {
        let path = path.as_ref();
        let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if !beside::journal(&path).exists() {
            return Ok(Self { locked: None, edits: Some(0) });
        }
        let lock = WriterLock::take(&path)?;
        let edits = pending_edits(&path)?;
        Ok(Self { locked: Some((path, lock)), edits })
    }

    /// The number of edits that are in the journal only, and that [`finish`](Self::finish) discards;
    /// `None` if the journal is damaged.
    #[must_use]
    pub fn pending_edits(&self) -> Option<u64> {
        self.edits
    }

    /// Removes the journal of the file that has been replaced, with all its edits.
    ///
    /// # Errors
    /// When the journal cannot be removed.
    pub fn finish(self) -> Result<(), EditError> {
        let Some((path, _lock)) = self.locked else { return Ok(()) };
        // Without the journal it means nothing.
        let _ = std::fs::remove_file(beside::words(&path));
        let journal = beside::journal(&path);
        std::fs::remove_file(&journal).map_err(FileError::on("remove", &journal))?;
        // Else a journal may be there again after a crash that the new file does not know.
        let folder = folder_of(&path);
        Ok(sync_folder(folder).map_err(FileError::on("write", folder))?)
    }
}

/// The edits in the journal of a corpus that are not in the corpus file; `None` if they cannot be read.
fn pending_edits(path: &Path) -> Result<Option<u64>, EditError> {
    let Some(bytes) = journal::read(path)? else { return Ok(Some(0)) };
    let owner = Corpus::open_without_edits(path)
        .and_then(|corpus| Ok(Owner { corpus: corpus.identity(), origin: corpus.origin()? }));
    let replay = match owner.map(|owner| journal::replay(&bytes, owner)) {
        Ok(Ok(replay)) => replay,
        // It belongs to a file that is not here any more: all its edits are only in it.
        _ => match journal::owner_of(&bytes)
            .map(|corpus| journal::replay(&bytes, Owner { corpus, origin: None }))
        {
            Some(Ok(replay)) => replay,
            _ => return Ok(None),
        },
    };
    let is_edit = |edit: &Edit<&[u8]>| !matches!(edit, Edit::SetThreshold { .. });
    Ok(Some(replay.map_or(0, |replay| replay.edits().filter(is_edit).count() as u64)))
}
