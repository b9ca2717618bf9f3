//! Edits, and their encoding in the journal.
//!
//! ```text
//! count: varint, then each edit:
//! kind: u8     0 insert, 1 append, 2 delete, 3 replace, 4 add, 5 remove, 6 rename, 7 threshold
//! insert       document, offset, bytes
//! append       document, bytes
//! delete       document, offset, length
//! replace      document, offset, length, bytes
//! add          name, bytes
//! remove       document
//! rename       document, name
//! threshold    edits, bytes
//! ```
//!
//! Numbers are varints; names and bytes are a length and that many bytes.

use crate::format::Malformed;
use crate::format::bytes::{ByteReader, put_varint};
use crate::format::threshold::Threshold;
use std::ops::Range;

/// The position of a name or a text in the bytes of a journal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) struct Stretch {
    start: usize,
    len: usize,
}

impl Stretch {
    /// The bytes at this position.
    pub(in crate::store) fn of(self, bytes: &[u8]) -> &[u8] {
        &bytes[self.start..self.start + self.len]
    }
}

/// One change of a corpus. Documents are given by their numbers, which do not change until the corpus is
/// compacted: documents in the file keep theirs, added ones get the next number, and numbers of removed
/// ones are not used again.
///
/// `B` is the type of names and texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit<B = Vec<u8>> {
    /// Inserts bytes before the byte at `offset`.
    Insert {
        /// The document.
        document: usize,
        /// The offset; at most the document's size.
        offset: u64,
        /// The new bytes.
        bytes: B,
    },
    /// Appends bytes.
    Append {
        /// The document.
        document: usize,
        /// The new bytes.
        bytes: B,
    },
    /// Deletes bytes.
    Delete {
        /// The document.
        document: usize,
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes.
        len: u64,
    },
    /// Replaces bytes by others.
    Replace {
        /// The document.
        document: usize,
        /// The offset of the first byte.
        offset: u64,
        /// The number of bytes to delete.
        len: u64,
        /// The new bytes.
        bytes: B,
    },
    /// Adds a document at the end of the corpus.
    Add {
        /// Its name.
        name: B,
        /// Its text.
        bytes: B,
    },
    /// Removes a document.
    Remove {
        /// The document.
        document: usize,
    },
    /// Renames a document.
    Rename {
        /// The document.
        document: usize,
        /// The new name.
        name: B,
    },
    /// Sets the threshold of automatic compaction. It changes no text and does not count as a pending
    /// edit.
    SetThreshold {
        /// The threshold.
        threshold: Threshold,
    },
}

impl<B> Edit<B> {
    /// The same edit, with each name and text converted by `make`.
    pub(in crate::store) fn map<'a, C>(&'a self, make: impl Fn(&'a B) -> C) -> Edit<C> {
        match self {
            Self::Insert { document, offset, bytes } => {
                Edit::Insert { document: *document, offset: *offset, bytes: make(bytes) }
            }
            Self::Append { document, bytes } => {
                Edit::Append { document: *document, bytes: make(bytes) }
            }
            Self::Delete { document, offset, len } => {
                Edit::Delete { document: *document, offset: *offset, len: *len }
            }
            Self::Replace { document, offset, len, bytes } => Edit::Replace {
                document: *document,
                offset: *offset,
                len: *len,
                bytes: make(bytes),
            },
            Self::Add { name, bytes } => Edit::Add { name: make(name), bytes: make(bytes) },
            Self::Remove { document } => Edit::Remove { document: *document },
            Self::Rename { document, name } => {
                Edit::Rename { document: *document, name: make(name) }
            }
            Self::SetThreshold { threshold } => Edit::SetThreshold { threshold: *threshold },
        }
    }

    /// The document it names; `None` if it names none.
    pub(in crate::store) fn document_mut(&mut self) -> Option<&mut usize> {
        match self {
            Self::Insert { document, .. }
            | Self::Append { document, .. }
            | Self::Delete { document, .. }
            | Self::Replace { document, .. }
            | Self::Remove { document }
            | Self::Rename { document, .. } => Some(document),
            Self::Add { .. } | Self::SetThreshold { .. } => None,
        }
    }
}

impl Edit {
    /// The same edit, borrowing.
    pub(in crate::store) fn borrowed(&self) -> Edit<&[u8]> {
        self.map(Vec::as_slice)
    }
}

impl Edit<&[u8]> {
    /// Bytes of new text.
    pub(in crate::store) fn new_bytes(&self) -> u64 {
        match self {
            Self::Insert { bytes, .. }
            | Self::Append { bytes, .. }
            | Self::Replace { bytes, .. }
            | Self::Add { bytes, .. } => bytes.len() as u64,
            Self::Delete { .. }
            | Self::Remove { .. }
            | Self::Rename { .. }
            | Self::SetThreshold { .. } => 0,
        }
    }

    /// Bytes of text that it deletes, except those of a removed document.
    pub(in crate::store) fn gone_bytes(&self) -> u64 {
        match self {
            Self::Delete { len, .. } | Self::Replace { len, .. } => *len,
            Self::Insert { .. }
            | Self::Append { .. }
            | Self::Add { .. }
            | Self::Remove { .. }
            | Self::Rename { .. }
            | Self::SetThreshold { .. } => 0,
        }
    }

    /// The document whose text it changes; `None` if it changes the list of documents.
    pub(in crate::store) fn of_text(&self) -> Option<usize> {
        match self {
            Self::Insert { document, .. }
            | Self::Append { document, .. }
            | Self::Delete { document, .. }
            | Self::Replace { document, .. } => Some(*document),
            Self::Add { .. }
            | Self::Remove { .. }
            | Self::Rename { .. }
            | Self::SetThreshold { .. } => None,
        }
    }

    fn put(&self, out: &mut Vec<u8>) {
        let mut put = |kind: u8, numbers: &[u64], texts: &[&[u8]]| {
            out.push(kind);
            numbers.iter().for_each(|&number| put_varint(out, number));
            for bytes in texts {
                put_varint(out, bytes.len() as u64);
                out.extend_from_slice(bytes);
            }
        };
        match *self {
            Self::Insert { document, offset, bytes } => {
                put(0, &[document as u64, offset], &[bytes])
            }
            Self::Append { document, bytes } => put(1, &[document as u64], &[bytes]),
            Self::Delete { document, offset, len } => put(2, &[document as u64, offset, len], &[]),
            Self::Replace { document, offset, len, bytes } => {
                put(3, &[document as u64, offset, len], &[bytes]);
            }
            Self::Add { name, bytes } => put(4, &[], &[name, bytes]),
            Self::Remove { document } => put(5, &[document as u64], &[]),
            Self::Rename { document, name } => put(6, &[document as u64], &[name]),
            Self::SetThreshold { threshold } => put(7, &[threshold.edits, threshold.bytes], &[]),
        }
    }
}

impl Edit<Stretch> {
    fn take(reader: &mut ByteReader<'_>) -> Result<Self, Malformed> {
        let kind = reader.u8()?;
        let document = |reader: &mut ByteReader<'_>| -> Result<usize, Malformed> {
            Ok(reader.varint_at_most(u64::from(u32::MAX), "document number")? as usize)
        };
        let bytes = |reader: &mut ByteReader<'_>| -> Result<Stretch, Malformed> {
            let len = reader.varint_at_most(reader.remaining() as u64, "length")? as usize;
            let start = reader.offset();
            reader.take(len)?;
            Ok(Stretch { start, len })
        };
        Ok(match kind {
            0 => Self::Insert {
                document: document(reader)?,
                offset: reader.varint()?,
                bytes: bytes(reader)?,
            },
            1 => Self::Append { document: document(reader)?, bytes: bytes(reader)? },
            2 => Self::Delete {
                document: document(reader)?,
                offset: reader.varint()?,
                len: reader.varint()?,
            },
            3 => Self::Replace {
                document: document(reader)?,
                offset: reader.varint()?,
                len: reader.varint()?,
                bytes: bytes(reader)?,
            },
            4 => Self::Add { name: bytes(reader)?, bytes: bytes(reader)? },
            5 => Self::Remove { document: document(reader)? },
            6 => Self::Rename { document: document(reader)?, name: bytes(reader)? },
            7 => Self::SetThreshold {
                threshold: Threshold { edits: reader.varint()?, bytes: reader.varint()? },
            },
            kind => return reader.malformed(format!("unknown edit {kind}")),
        })
    }
}

/// Appends a list of edits.
pub(in crate::store) fn put_all(edits: &[Edit<&[u8]>], out: &mut Vec<u8>) {
    put_varint(out, edits.len() as u64);
    edits.iter().for_each(|edit| edit.put(out));
}

/// Decodes the list of edits in a range of the bytes.
pub(in crate::store) fn take_all(
    bytes: &[u8],
    list: Range<usize>,
    out: &mut Vec<Edit<Stretch>>,
) -> Result<(), Malformed> {
    // Positions of texts count from the start of all bytes.
    let mut reader = ByteReader::new(&bytes[..list.end]);
    reader.take(list.start)?;
    let count = reader.varint_at_most(list.len() as u64, "number of edits")?;
    // An edit takes at least two bytes.
    out.reserve((count as usize).min(list.len() / 2));
    for _ in 0..count {
        out.push(Edit::take(&mut reader)?);
    }
    reader.expect_end()
}
