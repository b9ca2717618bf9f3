//! When pending edits are compacted automatically: section THRS.

use super::bytes::{ByteReader, Malformed};

/// How many pending edits, or how much new text, trigger compaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// Compact at this many edits or more.
    pub edits: u64,
    /// Compact at this many bytes of new text or more.
    pub bytes: u64,
}

impl Default for Threshold {
    fn default() -> Self {
        Self { edits: 1_000_000, bytes: 64 << 20 }
    }
}

impl Threshold {
    pub(crate) fn to_bytes(self) -> Vec<u8> {
        [self.edits, self.bytes].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self, Malformed> {
        let mut reader = ByteReader::new(bytes);
        let threshold = Self { edits: reader.u64()?, bytes: reader.u64()? };
        reader.expect_end()?;
        Ok(threshold)
    }
}
