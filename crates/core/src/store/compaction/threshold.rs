//! Whether enough edits are pending to compact them.

use crate::format::threshold::Threshold;
use crate::store::{PendingEdits, Store};

impl Threshold {
    /// Whether these pending edits reach it.
    #[must_use]
    pub fn is_reached(self, pending: PendingEdits) -> bool {
        pending.edits > 0 && (pending.edits >= self.edits || pending.bytes >= self.bytes)
    }
}

impl Store {
    /// The corpus's threshold: set by an [`Edit`](crate::store::Edit), set when it was compressed, or the
    /// default.
    #[must_use]
    pub fn threshold(&self) -> Threshold {
        let state = self.read();
        // A damaged setting does not prevent edits; `verify` reports it.
        state.set_threshold().unwrap_or_default()
    }

    /// Whether the pending edits reach the threshold, so that they should be compacted.
    #[must_use]
    pub fn is_due(&self) -> bool {
        self.threshold().is_reached(self.pending())
    }
}

impl super::State {
    /// The threshold, if an edit or the file sets one.
    pub(in crate::store) fn set_threshold(&self) -> Option<Threshold> {
        let in_file = || self.access.corpus().threshold().ok().flatten();
        self.overlay.threshold.or_else(in_file)
    }
}
