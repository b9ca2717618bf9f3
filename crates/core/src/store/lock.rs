//! One writer at a time.
//!
//! The lock is the operating system's, on a file beside the corpus: it is gone with the process that
//! holds it, however that ends. The file stays; its content only tells who holds the lock.

use crate::error::Error;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The right to change a corpus, until it is dropped.
#[derive(Debug)]
pub(super) struct WriterLock {
    /// Held open for the lock on it.
    _file: File,
}

impl WriterLock {
    pub(super) fn take(corpus: &Path) -> Result<Self, Error> {
        let path = path_of(corpus);
        let mut file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io("open the lock file", &path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let mut holder = String::new();
                // Whoever holds it may be just about to write its name.
                let _ = Read::take(&mut file, 200).read_to_string(&mut holder);
                return Err(Error::Locked {
                    path: corpus.to_owned(),
                    holder: match holder.trim() {
                        "" => "another process".to_owned(),
                        holder => holder.to_owned(),
                    },
                });
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", &path)(error)),
        }
        let write = |file: &mut File| {
            file.set_len(0)?;
            file.rewind()?;
            writeln!(file, "process {}", std::process::id())
        };
        write(&mut file).map_err(Error::io("write the lock file", &path))?;
        Ok(Self { _file: file })
    }
}

fn path_of(corpus: &Path) -> PathBuf {
    let mut path = corpus.as_os_str().to_owned();
    path.push(".lock");
    path.into()
}
