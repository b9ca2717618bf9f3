//! Files of records with a number and a checksum: the journal, and the file of word counts beside it.
//!
//! ```text
//! header    magic, version: u16, zero: 6 bytes, corpus: index checksum u64 and length u64,
//!           checksum of the header: u64                                          40 bytes
//! record    mark, zero: u32, length: u64, sequence: u64, checksum: u64, content
//! ```
//!
//! A record's checksum covers its number and its content, and is seeded with the corpus. So a record of
//! another file, or an old record at the same place, is not accepted.

use crate::format::bytes::ByteReader;
use crate::format::origin::Identity;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

pub(in crate::store) const HEADER_LEN: usize = crate::beside::JOURNAL_HEADER_LEN as usize;
pub(in crate::store) const RECORD_HEADER_LEN: usize = 32;

/// What distinguishes one kind of file from others.
pub(in crate::store) struct Frames {
    pub(in crate::store) magic: [u8; 8],
    pub(in crate::store) version: u16,
    pub(in crate::store) mark: [u8; 8],
}

/// The header of a file that has the right magic.
pub(in crate::store) struct Header {
    pub(in crate::store) version: u16,
    /// Whether the reserved bytes are zero.
    pub(in crate::store) is_plain: bool,
    pub(in crate::store) corpus: Identity,
    /// Whether its checksum is right.
    pub(in crate::store) is_sound: bool,
}

/// A sound record.
pub(in crate::store) struct Record<'a> {
    pub(in crate::store) content: &'a [u8],
    pub(in crate::store) checksum: u64,
}

impl Frames {
    pub(in crate::store) fn header(&self, corpus: Identity) -> Vec<u8> {
        let mut header = Vec::with_capacity(HEADER_LEN);
        header.extend(self.magic);
        header.extend(self.version.to_le_bytes());
        header.extend([0; 6]);
        header.extend(corpus.index_checksum.to_le_bytes());
        header.extend(corpus.len.to_le_bytes());
        header.extend(xxh3_64(&header).to_le_bytes());
        header
    }

    /// The header of a file; `None` if the file is too short or of another kind.
    pub(in crate::store) fn read_header(&self, bytes: &[u8]) -> Option<Header> {
        let header = bytes.get(..HEADER_LEN).filter(|header| header.starts_with(&self.magic))?;
        let mut reader = ByteReader::new(&header[self.magic.len()..]);
        Some(Header {
            version: reader.u16().ok()?,
            is_plain: reader.take(6).ok()? == [0; 6],
            corpus: Identity { index_checksum: reader.u64().ok()?, len: reader.u64().ok()? },
            is_sound: reader.u64().ok()? == xxh3_64(&header[..HEADER_LEN - 8]),
        })
    }

    /// A record with the content that `put` appends, and its checksum.
    pub(in crate::store) fn record(
        &self,
        corpus: Identity,
        sequence: u64,
        put: impl FnOnce(&mut Vec<u8>),
    ) -> (Vec<u8>, u64) {
        // Room for the header, which depends on the content.
        let mut record = vec![0; RECORD_HEADER_LEN];
        put(&mut record);
        let (header, content) = record.split_at_mut(RECORD_HEADER_LEN);
        let checksum = sum(corpus, sequence, content);
        let numbers = [content.len() as u64, sequence, checksum];
        header[..self.mark.len()].copy_from_slice(&self.mark);
        for (place, number) in header[self.mark.len()..].chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        (record, checksum)
    }

    /// The record at an offset and its number, if it is sound.
    pub(in crate::store) fn record_at<'a>(
        &self,
        bytes: &'a [u8],
        at: usize,
        corpus: Identity,
    ) -> Option<(u64, Record<'a>)> {
        let mut reader = ByteReader::new(bytes.get(at..)?);
        let mark = reader.take(8).ok()?;
        let (len, sequence) = (reader.u64().ok()?, reader.u64().ok()?);
        let checksum = reader.u64().ok()?;
        let content = reader.take(usize::try_from(len).ok()?).ok()?;
        let is_sound = mark == self.mark && checksum == sum(corpus, sequence, content);
        is_sound.then_some((sequence, Record { content, checksum }))
    }
}

fn sum(corpus: Identity, sequence: u64, content: &[u8]) -> u64 {
    let mut hasher = Xxh3::with_seed(corpus.index_checksum ^ corpus.len);
    hasher.update(&sequence.to_le_bytes());
    hasher.update(content);
    hasher.digest()
}
