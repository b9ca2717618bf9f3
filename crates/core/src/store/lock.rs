//! One writer at a time.
//!
//! The lock is the operating system's, on a file beside the corpus: it is released when the process
//! that holds it ends, however that happens. The file's content only says who holds the lock. The file
//! stays once there are edits; before that it is removed, so that nothing is left of an edit that was
//! refused.

use crate::beside;
use crate::error::{EditError, FileError};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The right to change a corpus, until it is dropped.
#[derive(Debug)]
pub(in crate::store) struct WriterLock {
    /// Held open for the lock on it.
    file: File,
    path: PathBuf,
    /// Whether the file goes with the lock.
    is_temporary: bool,
}

impl WriterLock {
    pub(in crate::store) fn take(corpus: &Path) -> Result<Self, EditError> {
        let path = beside::lock(corpus);
        loop {
            let (mut file, is_temporary) =
                open(&path).map_err(FileError::on("open the lock file", &path))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    let mut holder = String::new();
                    // The holder may be just about to write its name.
                    let _ = Read::take(&mut file, 200).read_to_string(&mut holder);
                    return Err(EditError::Locked {
                        path: corpus.to_owned(),
                        holder: match holder.trim() {
                            "" => "another process".to_owned(),
                            holder => holder.to_owned(),
                        },
                    });
                }
                Err(TryLockError::Error(error)) => {
                    return Err(FileError::on("lock", &path)(error).into());
                }
            }
            // The last holder may have removed the file in between. Then this lock keeps nobody out.
            if !is_at(&file, &path) {
                continue;
            }
            let mut lock = Self { file, path, is_temporary };
            let path = lock.path.clone();
            lock.write_holder().map_err(FileError::on("write the lock file", path))?;
            return Ok(lock);
        }
    }

    fn write_holder(&mut self) -> io::Result<()> {
        self.file.set_len(0)?;
        self.file.rewind()?;
        writeln!(self.file, "process {}", std::process::id())
    }

    /// Leaves the file where it is from now on.
    pub(in crate::store) fn keep_file(&mut self) {
        self.is_temporary = false;
    }
}

impl Drop for WriterLock {
    fn drop(&mut self) {
        if self.is_temporary {
            // While the lock is held: nobody else has one on this file.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// Opens the lock file. Returns whether this has created it, so that it can be removed again.
fn open(path: &Path) -> io::Result<(File, bool)> {
    let mut options = File::options();
    options.read(true).write(true);
    match options.create_new(true).open(path) {
        Ok(file) => Ok((file, cfg!(unix))),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let file = options.create_new(false).create(true).truncate(false).open(path)?;
            Ok((file, false))
        }
        Err(error) => Err(error),
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |here: std::fs::Metadata, there: std::fs::Metadata| {
        (here.dev(), here.ino()) == (there.dev(), there.ino())
    };
    match (file.metadata(), std::fs::metadata(path)) {
        (Ok(here), Ok(there)) => same(here, there),
        _ => false,
    }
}

/// Elsewhere the file is never removed.
#[cfg(not(unix))]
fn is_at(_file: &File, _path: &Path) -> bool {
    true
}
