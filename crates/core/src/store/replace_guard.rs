//! Replacing a corpus file by another one, together with its edits.

use crate::beside;
use crate::compress::{CompressOptions, Summary, compress_in_place};
use crate::corpus::Corpus;
use crate::durable::{folder_of, sync_folder};
use crate::error::{EditError, FileError};
use crate::format::origin::{ALL_RECORDS, Identity};
use crate::input::Sources;
use crate::progress::Progress;
use crate::store::edit::Edit;
use crate::store::journal::{self, Owner};
use crate::store::lock::WriterLock;
use std::path::{Path, PathBuf};

/// Keeps everybody from editing a corpus while another file takes its place.
pub struct ReplaceGuard {
    path: PathBuf,
    /// The lock on the corpus file; `None` if there is no journal.
    lock: Option<WriterLock>,
    edits: Option<u64>,
    /// The corpus that the journal belongs to, if it has edits.
    owner: Option<Identity>,
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
            return Ok(Self { path, lock: None, edits: Some(0), owner: None });
        }
        let lock = Some(WriterLock::take(&path)?);
        let edits = pending_edits(&path)?;
        let journal = if beside::has_edits(&path) { journal::read(&path)? } else { None };
        let owner = journal.and_then(|bytes| journal::owner_of(&bytes));
        Ok(Self { path, lock, edits, owner })
    }

    /// The number of edits that are in the journal only, and that [`compress`](Self::compress) discards;
    /// `None` if the journal is damaged.
    #[must_use]
    pub fn pending_edits(&self) -> Option<u64> {
        self.edits
    }

    /// Compresses a corpus into the file, and discards the journal of the file before.
    ///
    /// The new file says that the edits of that journal are settled. So if the process ends before it can
    /// remove the journal, the journal is ignored, even if the new file has the text of the old one.
    ///
    /// # Errors
    /// As [`compress`](crate::compress()), except for pending edits; or when the journal cannot be
    /// removed.
    pub fn compress(
        self,
        sources: &Sources,
        options: &CompressOptions,
        progress: &dyn Progress,
    ) -> Result<Summary, EditError> {
        let origin = self.owner.map(|owner| owner.to_origin(ALL_RECORDS));
        let summary = compress_in_place(sources, &self.path, options, origin, progress)?;
        if self.lock.is_some() {
            // Without the journal it means nothing.
            let _ = std::fs::remove_file(beside::words(&self.path));
            let journal = beside::journal(&self.path);
            std::fs::remove_file(&journal).map_err(FileError::on("remove", &journal))?;
            let folder = folder_of(&self.path);
            sync_folder(folder).map_err(FileError::on("write", folder))?;
        }
        Ok(summary)
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
