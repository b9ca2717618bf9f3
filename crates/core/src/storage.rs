//! Where the bytes of a corpus file are: on disk, in memory, or wherever a caller keeps them.

use std::borrow::Cow;
use std::fs::File;
use std::io;
use std::path::Path;

/// Random access to the bytes of a file. Implement it to open corpora from object stores, mapped
/// memory, or a test's broken disk.
pub trait Storage: Send + Sync {
    /// Number of bytes.
    fn len(&self) -> u64;

    /// Exactly the bytes `offset..offset + len`, borrowed if they are in memory already.
    ///
    /// # Errors
    /// When they cannot be read, or do not exist.
    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>>;

    /// The same bytes, put into `room` unless they are in memory already. A caller that reads often
    /// reuses one buffer this way.
    ///
    /// # Errors
    /// As for [`read`](Self::read).
    fn read_in<'a>(
        &'a self,
        offset: u64,
        len: usize,
        room: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        match self.read(offset, len)? {
            Cow::Borrowed(bytes) => Ok(bytes),
            Cow::Owned(bytes) => {
                *room = bytes;
                Ok(room)
            }
        }
    }

    /// Whether the file is empty.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<S: Storage + ?Sized> Storage for Box<S> {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        (**self).read(offset, len)
    }

    fn read_in<'a>(
        &'a self,
        offset: u64,
        len: usize,
        room: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        (**self).read_in(offset, len, room)
    }
}

/// A file is read in pieces of this many bytes.
const PIECE: usize = 1 << 18;

/// A file on disk, read piece by piece.
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
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
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

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        check_range(offset, len, self.len)?;
        // Cleared piece by piece, so that each piece is still in the cache when it is read into.
        let mut bytes = Vec::with_capacity(len);
        while bytes.len() < len {
            let start = bytes.len();
            bytes.resize(len.min(start + PIECE), 0);
            read_exact_at(&self.file, &mut bytes[start..], offset + start as u64)?;
        }
        Ok(Cow::Owned(bytes))
    }

    fn read_in<'a>(
        &'a self,
        offset: u64,
        len: usize,
        room: &'a mut Vec<u8>,
    ) -> io::Result<&'a [u8]> {
        check_range(offset, len, self.len)?;
        room.resize(len, 0);
        read_exact_at(&self.file, room, offset)?;
        Ok(room)
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

    fn read(&self, offset: u64, len: usize) -> io::Result<Cow<'_, [u8]>> {
        check_range(offset, len, Storage::len(self))?;
        let start = offset as usize;
        Ok(Cow::Borrowed(&self.0.as_ref()[start..start + len]))
    }
}

fn check_range(offset: u64, len: usize, total: u64) -> io::Result<()> {
    if offset.checked_add(len as u64).is_some_and(|end| end <= total) {
        return Ok(());
    }
    let what = format!("bytes {offset} to {offset}+{len} of {total}");
    Err(io::Error::new(io::ErrorKind::UnexpectedEof, what))
}
