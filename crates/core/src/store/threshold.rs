//! From when on edits go into the grammar by themselves, set in the corpus.

use super::{Pending, Store};
use crate::format::Malformed;
use crate::format::bytes::ByteReader;

/// When edits are so many that they should go into the grammar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threshold {
    /// From so many edits on.
    pub edits: u64,
    /// From so many bytes of new text on.
    pub bytes: u64,
}

impl Default for Threshold {
    fn default() -> Self {
        Self { edits: 1_000_000, bytes: 64 << 20 }
    }
}

impl Threshold {
    /// Whether so many edits reach it.
    #[must_use]
    pub fn is_reached(self, pending: Pending) -> bool {
        pending.edits > 0 && (pending.edits >= self.edits || pending.bytes >= self.bytes)
    }

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

impl Store {
    /// The corpus's threshold: set by an [`Edit`](super::Edit), when it was compressed, or the usual
    /// one.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        let state = self.read();
        // A damaged setting is no reason not to edit; verifying tells of it.
        state.set_threshold().unwrap_or_default()
    }

    /// Whether there are so many edits that they should be compacted.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.threshold().is_reached(self.pending())
    }
}

impl super::State {
    /// The threshold, if the corpus has one of its own.
    pub(super) fn set_threshold(&self) -> Option<Threshold> {
        let in_file = || self.access.corpus().threshold().ok().flatten();
        self.overlay.threshold.or_else(in_file)
    }
}
