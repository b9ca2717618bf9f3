//! Which file a compacted corpus was made from: section ORIG.

use super::bytes::{ByteReader, Malformed};

/// Identifies a corpus file: the checksum of its index, and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Identity {
    pub(crate) index_checksum: u64,
    pub(crate) len: u64,
}

/// In place of a record's number: the new file settles all records of the journal, because it replaces
/// the file and its edits.
pub(crate) const ALL_RECORDS: u64 = u64::MAX;

impl Identity {
    /// The section of a corpus that was compacted from this file with the journal's records up to
    /// number `sequence`.
    pub(crate) fn to_origin(self, sequence: u64) -> Vec<u8> {
        [self.index_checksum, self.len, sequence].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    /// The file before compaction, and the number of the last journal record that went into the new
    /// one.
    pub(crate) fn from_origin(bytes: &[u8]) -> Result<(Self, u64), Malformed> {
        let mut reader = ByteReader::new(bytes);
        let identity = Self { index_checksum: reader.u64()?, len: reader.u64()? };
        let sequence = reader.u64()?;
        reader.expect_end()?;
        Ok((identity, sequence))
    }
}
