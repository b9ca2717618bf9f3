//! Errors of reading a corpus. Each names the file and says what to do.

use super::Compression;
use crate::features::MissingFeature;
use crate::progress::Interrupted;
use std::io;
use std::path::PathBuf;

/// A failure of reading, as opposed to a failure of the visitor that receives the documents.
///
/// Files inside an archive are named as if the archive were a folder: `corpus.tar/a.txt`.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// A path cannot be opened, or has vanished since its folder was listed.
    #[error("cannot open {}: {source}", path.display())]
    Open {
        /// The path.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A zgram file was given to be compressed again.
    #[error("{} is a zgram file already", path.display())]
    Corpus {
        /// The file.
        path: PathBuf,
    },
    /// A folder cannot be listed.
    #[error("cannot list the folder {}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Reading failed before the end.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file became longer or shorter while it was read.
    #[error(
        "{} changed while it was read: {expected} bytes when opened, {got} bytes read; \
         try again when no program writes to it",
        path.display()
    )]
    Changed {
        /// The file.
        path: PathBuf,
        /// Its length when opened.
        expected: u64,
        /// The bytes read when the change was noticed.
        got: u64,
    },
    /// A file kept its length but was written to while it was read.
    #[error("{} was modified while it was read; try again when no program writes to it", path.display())]
    Modified {
        /// The file.
        path: PathBuf,
    },
    /// A compressed file is damaged or cut short.
    #[error(
        "cannot decompress {} as {format}: it is damaged or incomplete; \
         get it again, or read it without decompression: {source}",
        path.display()
    )]
    Decompress {
        /// The file.
        path: PathBuf,
        /// The format, by the file's first bytes.
        format: Compression,
        /// What the decoder found.
        source: io::Error,
    },
    /// A tar archive is damaged or cut short.
    #[error("cannot unpack {}: the tar archive is damaged or incomplete; get it again: {source}", path.display())]
    Archive {
        /// The archive, or the member inside it.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// A line of a JSON Lines file has no text that can be read.
    #[error("{}:{line}:{column}: {reason}", path.display())]
    Jsonl {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The byte in the line, from 1.
        column: u64,
        /// What is wrong there, and what was expected.
        reason: String,
    },
    /// A line of a JSON Lines file is longer than memory allows.
    #[error(
        "{}:{line}: this line, with the blank lines around it, is longer than {limit} bytes, \
         the most that the memory ceiling allows; raise the ceiling, split the line, \
         or check that the file is JSON Lines",
        path.display()
    )]
    LineTooLong {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// The limit that it passed, in bytes.
        limit: u64,
    },
    /// Two documents would have the same name.
    #[error(
        "two documents would be named {name}: one from {}, one from {}; \
         rename one, or give a folder that holds both",
        first.display(),
        second.display()
    )]
    DuplicateName {
        /// The name; bytes that are not UTF-8 are replaced.
        name: String,
        /// The path argument that contains the first document.
        first: PathBuf,
        /// The file of the second document.
        second: PathBuf,
    },
    /// A file needs a part of the library that this build leaves out.
    #[error("cannot read {}: {source}", path.display())]
    MissingFeature {
        /// The file.
        path: PathBuf,
        /// What it needs.
        source: MissingFeature,
    },
    /// The reading was asked to stop.
    #[error(transparent)]
    Interrupted(#[from] Interrupted),
}
