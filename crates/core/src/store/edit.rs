//! Edits, as the journal has them.
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

use super::threshold::Threshold;
use crate::format::Malformed;
use crate::format::bytes::{ByteReader, put_varint};

/// One change of a corpus. Documents are meant by their numbers, which do not change until the
/// corpus is compacted: those in the file keep theirs, added ones get the next, and numbers of
/// removed ones are not used again.
///
/// `B` is what names and texts are kept in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edit<B = Vec<u8>> {
    /// Puts bytes before the byte at `offset`.
    Insert {
        /// The document.
        document: usize,
        /// Where; at most the document's size.
        offset: u64,
        /// What.
        bytes: B,
    },
    /// Puts bytes at the end.
    Append {
        /// The document.
        document: usize,
        /// What.
        bytes: B,
    },
    /// Takes bytes out.
    Delete {
        /// The document.
        document: usize,
        /// From where.
        offset: u64,
        /// How many.
        len: u64,
    },
    /// Puts bytes in place of others.
    Replace {
        /// The document.
        document: usize,
        /// From where.
        offset: u64,
        /// How many are taken out.
        len: u64,
        /// What is put there.
        bytes: B,
    },
    /// Adds a document at the end of the corpus.
    Add {
        /// Its name.
        name: B,
        /// Its text.
        bytes: B,
    },
    /// Takes a document out of the corpus.
    Remove {
        /// The document.
        document: usize,
    },
    /// Gives a document another name.
    Rename {
        /// The document.
        document: usize,
        /// The new name.
        name: B,
    },
    /// Sets from when on edits are compacted by themselves. It changes no text and does not count as
    /// a pending edit.
    SetThreshold {
        /// From when on.
        threshold: Threshold,
    },
}

impl<B: AsRef<[u8]>> Edit<B> {
    /// The same edit, borrowing.
    pub(super) fn borrowed(&self) -> Edit<&[u8]> {
        match self {
            Self::Insert { document, offset, bytes } => {
                Edit::Insert { document: *document, offset: *offset, bytes: bytes.as_ref() }
            }
            Self::Append { document, bytes } => {
                Edit::Append { document: *document, bytes: bytes.as_ref() }
            }
            Self::Delete { document, offset, len } => {
                Edit::Delete { document: *document, offset: *offset, len: *len }
            }
            Self::Replace { document, offset, len, bytes } => Edit::Replace {
                document: *document,
                offset: *offset,
                len: *len,
                bytes: bytes.as_ref(),
            },
            Self::Add { name, bytes } => Edit::Add { name: name.as_ref(), bytes: bytes.as_ref() },
            Self::Remove { document } => Edit::Remove { document: *document },
            Self::Rename { document, name } => {
                Edit::Rename { document: *document, name: name.as_ref() }
            }
            Self::SetThreshold { threshold } => Edit::SetThreshold { threshold: *threshold },
        }
    }
}

impl Edit<&[u8]> {
    /// Bytes of new text.
    pub(super) fn new_bytes(&self) -> u64 {
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

    /// The document whose text it changes; `None` if it changes the list of documents.
    pub(super) fn of_text(&self) -> Option<usize> {
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

impl Edit {
    /// The document it names; `None` if it names none.
    pub(super) fn document_mut(&mut self) -> Option<&mut usize> {
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

    fn take(reader: &mut ByteReader<'_>) -> Result<Self, Malformed> {
        let kind = reader.u8()?;
        let document = |reader: &mut ByteReader<'_>| -> Result<usize, Malformed> {
            Ok(reader.varint_at_most(u64::from(u32::MAX), "document number")? as usize)
        };
        let bytes = |reader: &mut ByteReader<'_>| -> Result<Vec<u8>, Malformed> {
            let len = reader.varint_at_most(reader.remaining() as u64, "length")?;
            Ok(reader.take(len as usize)?.to_vec())
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
pub(super) fn put_all(edits: &[Edit<&[u8]>], out: &mut Vec<u8>) {
    put_varint(out, edits.len() as u64);
    edits.iter().for_each(|edit| edit.put(out));
}

pub(super) fn from_bytes(bytes: &[u8]) -> Result<Vec<Edit>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let count = reader.varint_at_most(bytes.len() as u64, "number of edits")?;
    let edits = (0..count).map(|_| Edit::take(&mut reader)).collect::<Result<_, _>>()?;
    reader.expect_end()?;
    Ok(edits)
}
