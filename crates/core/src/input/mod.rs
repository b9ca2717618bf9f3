//! Reads files, folders, tar archives, JSON Lines and standard input as named documents.
//!
//! [`Sources::read`] reads the given paths in order and hands each document to a [`Visitor`] as a name
//! and a stream, so a file may be far larger than memory. The order and the names depend only on the
//! input, not on the order in which the file system lists it.
//!
//! | path | documents | named |
//! |---|---|---|
//! | a file | one | its file name, without `.gz`, `.zst`, `.bz2`, `.xz` when decompressed |
//! | a folder | its files, byte for byte unless [`Decompress::All`] | the path below the folder, `/` between the parts |
//! | a tar archive, compressed or not | its regular files | the member's path |
//! | `-` | standard input, decompressed and unpacked like a file | `stdin`, or the members' paths |
//! | any of these with [`ReadOptions::jsonl_field`] | every line | `file:line` |
//!
//! Rules that may surprise:
//!
//! * Names are bytes, relative, and unique; two documents of one name are an error. With several
//!   paths, names from a folder begin with that folder's own name.
//! * A folder is walked depth first, the entries of each folder sorted by the bytes of their
//!   names; that is the order of whole paths when `/` sorts below every other byte. Hidden files
//!   are read. A symbolic link is read if it leads to a regular file inside the given folder.
//!   Otherwise it is skipped with a notice, as are pipes, sockets and devices.
//! * Compression and tar are recognised by their magic bytes, and only in the paths given and on
//!   standard input. A `.gz` file inside a folder is stored unchanged, because a folder must come back
//!   byte for byte; a notice at the end reports how many there were. With [`Decompress::All`], and for
//!   JSON Lines, compressed files are decompressed everywhere.
//! * Names from a tar archive lose a leading `./` or `/` and are otherwise kept as stored, `..`
//!   included: code that creates files with these names must refuse those that leave the target folder.
//! * A file whose length or modification time differs between opening and its end is an error.
//!
//! ```
//! use std::io::Read;
//! use zgram::input::{DocumentHead, InputError, ReadOptions, Sources, Visitor};
//! use zgram::progress::Silent;
//!
//! /// Counts the bytes of every document.
//! #[derive(Default)]
//! struct Sizes(Vec<(String, u64)>);
//!
//! #[derive(Debug)]
//! enum Failure {
//!     Input(InputError),
//!     Own(std::io::Error),
//! }
//!
//! impl From<InputError> for Failure {
//!     fn from(error: InputError) -> Self {
//!         Self::Input(error)
//!     }
//! }
//!
//! impl Visitor for Sizes {
//!     type Error = Failure;
//!
//!     fn document(
//!         &mut self,
//!         head: DocumentHead<'_>,
//!         content: &mut dyn Read,
//!     ) -> Result<(), Failure> {
//!         let size = std::io::copy(content, &mut std::io::sink()).map_err(Failure::Own)?;
//!         self.0.push((String::from_utf8_lossy(head.name).into_owned(), size));
//!         Ok(())
//!     }
//! }
//!
//! let lines = b"{\"id\": 1, \"text\": \"one\"}\n{\"id\": 2, \"text\": \"three\"}\n";
//! let options = ReadOptions { jsonl_field: Some("text".to_owned()), ..ReadOptions::default() };
//! let mut sizes = Sizes::default();
//! Sources::new(["-"]).options(options).read_with_stdin(&mut &lines[..], &mut sizes, &Silent)?;
//! assert_eq!(sizes.0, [("stdin:1".to_owned(), 3), ("stdin:2".to_owned(), 5)]);
//! # Ok::<(), Failure>(())
//! ```

mod arguments;
mod compression;
mod distinct_names;
mod error;
mod failures;
#[cfg(feature = "gitignore")]
mod ignored;
mod interruptible;
pub(crate) mod jsonl;
mod tar_header;
#[cfg(feature = "archives")]
mod tar_members;
mod walk;

pub(crate) use compression::CORPUS_MAGIC;
pub use compression::{Compression, Decompress};
pub use error::InputError;
pub(crate) use jsonl::{Envelope, StringStyle};

use crate::progress::{Progress, Silent};
use arguments::Arguments;
use interruptible::Interruptible;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use walk::Walk;

/// How to read documents from paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// Reads every file as JSON Lines: each line is a document, and this field has its text.
    ///
    /// A dotted path such as `meta.text` reaches into nested objects, unless the line has a key
    /// that is literally `meta.text`. Of duplicate keys the first is used.
    pub jsonl_field: Option<String>,
    /// Skips what the `.gitignore` files inside a given folder exclude, and `.git` itself.
    pub gitignore: bool,
    /// Which files compressed by gzip, zstd, bzip2 or xz are decompressed while reading.
    pub decompress: Decompress,
    /// Reads the members of tar archives rather than the archive as one document.
    pub unpack: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        let decompress = Decompress::default();
        Self { jsonl_field: None, gitignore: false, decompress, unpack: true }
    }
}

/// The head of a document; its text follows as a stream.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct DocumentHead<'a> {
    /// The unique name: relative, `/` between the parts, not necessarily UTF-8.
    pub name: &'a [u8],
    /// The size of the text in bytes, if it is known in advance.
    pub size: Option<u64>,
    /// The bytes around the text in a JSON Lines file; `None` for every other kind of input.
    ///
    /// The lines of one file come one after another, so appending each
    /// [`restore`](Envelope::restore)d document gives the file back.
    pub envelope: Option<Envelope<'a>>,
}

/// Receives the documents.
pub trait Visitor {
    /// The visitor's errors, and those of reading.
    type Error: From<InputError>;

    /// Receives one document. Content that it does not read is skipped.
    ///
    /// When `content` fails, [`Sources::read`] returns the [`InputError`] behind it, whatever this
    /// method does with the [`io::Error`]. Passing it on is enough.
    ///
    /// # Errors
    /// Any error ends the reading.
    fn document(
        &mut self,
        head: DocumentHead<'_>,
        content: &mut dyn Read,
    ) -> Result<(), Self::Error>;
}

/// The paths of a corpus and how to read them.
#[derive(Clone, Debug)]
pub struct Sources {
    paths: Vec<PathBuf>,
    options: ReadOptions,
}

impl Sources {
    /// Sources that read `paths` in the given order; `-` is standard input.
    ///
    /// ```
    /// use zgram::input::{ReadOptions, Sources};
    ///
    /// let texts = Sources::new(["books", "letters.tar.gz"]);
    /// let read = ReadOptions { gitignore: true, ..ReadOptions::default() };
    /// let tree = Sources::new(["project"]).options(read);
    /// ```
    pub fn new<P: Into<PathBuf>>(paths: impl IntoIterator<Item = P>) -> Self {
        let paths = paths.into_iter().map(Into::into).collect();
        Self { paths, options: ReadOptions::default() }
    }

    /// The same paths, read in this way.
    #[must_use]
    pub fn options(self, options: ReadOptions) -> Self {
        Self { options, ..self }
    }

    /// About how many bytes of text there are, for a progress display: the sizes of all files.
    ///
    /// `None` when that is unknown before reading: for standard input, a pipe, a compressed file or a
    /// path without permission. Walks folders.
    pub fn size_hint(&self) -> Option<u64> {
        self.paths
            .iter()
            .try_fold(0u64, |sum, path| Some(sum.saturating_add(self.size_of_argument(path)?)))
    }

    fn size_of_argument(&self, path: &Path) -> Option<u64> {
        if is_stdin(path) {
            return None;
        }
        let metadata = fs::metadata(path).ok()?;
        if metadata.is_dir() {
            let mut found = Walk::new(path, self.options.gitignore, &Silent).ok()?;
            found.try_fold(0u64, |sum, file| {
                let path = file.ok()?.path;
                if self.options.decompress == Decompress::All && is_compressed(&path).ok()? {
                    return None;
                }
                Some(sum.saturating_add(fs::metadata(path).ok()?.len()))
            })
        } else if metadata.is_file()
            && (self.options.decompress == Decompress::No || !is_compressed(path).ok()?)
        {
            Some(metadata.len())
        } else {
            None
        }
    }

    /// Whether documents are lines of JSON.
    pub(crate) fn has_lines(&self) -> bool {
        self.options.jsonl_field.is_some()
    }

    /// Hands every document to `visitor`, in order.
    ///
    /// # Errors
    /// The first failure, of reading or of the visitor.
    pub fn read<V: Visitor>(
        &self,
        visitor: &mut V,
        progress: &dyn Progress,
    ) -> Result<(), V::Error> {
        self.read_with_stdin(&mut Interruptible::stdin(), visitor, progress)
    }

    /// Like [`read`](Self::read), but refuses a line of JSON Lines that is longer than
    /// `longest_line` bytes while it is being read, so that the caller can keep to a memory ceiling.
    pub(crate) fn read_lines_within<V: Visitor>(
        &self,
        longest_line: u64,
        visitor: &mut V,
        progress: &dyn Progress,
    ) -> Result<(), V::Error> {
        let longest_line = usize::try_from(longest_line).unwrap_or(usize::MAX);
        Arguments::new(&self.paths, &self.options, visitor, progress)
            .with_longest_line(longest_line)
            .read_all(&mut Interruptible::stdin())
    }

    /// Like [`read`](Self::read), with `stdin` in place of standard input for the path `-`.
    ///
    /// # Errors
    /// The first failure, of reading or of the visitor.
    pub fn read_with_stdin<V: Visitor>(
        &self,
        stdin: &mut dyn Read,
        visitor: &mut V,
        progress: &dyn Progress,
    ) -> Result<(), V::Error> {
        Arguments::new(&self.paths, &self.options, visitor, progress).read_all(stdin)
    }
}

fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

fn is_compressed(path: &Path) -> io::Result<bool> {
    let mut head = Vec::new();
    File::open(path)?.take(compression::MAGIC_LEN as u64).read_to_end(&mut head)?;
    Ok(Compression::detect(&head).is_some())
}
