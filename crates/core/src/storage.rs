//! Where the bytes of a corpus file lie: on disk, in memory, or wherever a caller keeps them.

pub use crate::pages::Pages;

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;

/// Random access to the bytes of a file. Implement it to open corpora from object stores, mapped
/// memory, or a test's broken disk.
pub trait Storage: Send + Sync {
    /// Number of bytes.
    fn len(&self) -> u64;

    /// Exactly the bytes `offset..offset + len`, borrowed where they lie in memory anyway.
    ///
    /// # Errors
    /// When they cannot be read, or do not exist.
    fn read(&self, offset: u64, len: usize) -> io::Result<Bytes<'_>>;

    /// Whether there is nothing.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Bytes of a file.
#[derive(Clone, Debug)]
pub enum Bytes<'a> {
    /// They lie in memory already.
    Borrowed(&'a [u8]),
    /// They were read.
    Owned(Pages<u8>),
}

impl Deref for Bytes<'_> {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Borrowed(bytes) => bytes,
            Self::Owned(bytes) => bytes,
        }
    }
}

impl<'a> From<&'a [u8]> for Bytes<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self::Borrowed(bytes)
    }
}

impl From<Vec<u8>> for Bytes<'_> {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Owned(bytes.into())
    }
}

/// A file on disk.
#[derive(Debug)]
pub struct DiskFile {
    file: File,
    len: u64,
}

impl DiskFile {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// When it cannot be opened.
    pub fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a folder"));
        }
        Ok(Self { file, len: metadata.len() })
    }
}

impl Storage for DiskFile {
    fn len(&self) -> u64 {
        self.len
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Bytes<'_>> {
        check_range(offset, len, self.len)?;
        let mut bytes = Pages::zeroed(len);
        read_exact_at(&self.file, &mut bytes, offset)?;
        Ok(Bytes::Owned(bytes))
    }
}

#[cfg(unix)]
fn read_exact_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        bytes = &mut bytes[read..];
        offset += read as u64;
    }
    Ok(())
}

/// Bytes in memory: a vector, a static string, or a mapped file (any `AsRef<[u8]>`).
#[derive(Clone, Debug)]
pub struct Memory<B>(pub B);

impl<B: AsRef<[u8]> + Send + Sync> Storage for Memory<B> {
    fn len(&self) -> u64 {
        self.0.as_ref().len() as u64
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Bytes<'_>> {
        check_range(offset, len, Storage::len(self))?;
        let start = offset as usize;
        Ok(Bytes::Borrowed(&self.0.as_ref()[start..start + len]))
    }
}

fn check_range(offset: u64, len: usize, total: u64) -> io::Result<()> {
    if offset.checked_add(len as u64).is_some_and(|end| end <= total) {
        return Ok(());
    }
    let what = format!("bytes {offset} to {offset}+{len} of {total}");
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, what))
}
