//! Doing without an index for a while.
//!
//! An index costs as much time as some number of questions take without it, and nobody knows how many
//! will be asked. Whoever makes it once about as much has been spent without never waits for an index
//! that is hardly used, and never spends much more than twice of what was needed.

use std::sync::atomic::{AtomicU64, Ordering};

/// What has been spent for want of an index.
#[derive(Default)]
pub(super) struct Patience {
    spent: AtomicU64,
}

impl Patience {
    /// Spends some more. If that makes more in all than the index is worth, it is time to make it.
    #[must_use]
    pub(super) fn spend(&self, more: u64, worth: u64) -> bool {
        self.spent.fetch_add(more, Ordering::Relaxed).saturating_add(more) <= worth
    }
}

#[cfg(test)]
mod tests {
    use super::Patience;

    #[test]
    fn it_ends_when_the_index_would_have_been_cheaper() {
        let patience = Patience::default();
        let spent = [40, 40, 20, 1].map(|more| patience.spend(more, 100));
        assert_eq!(spent, [true, true, true, false]);
        assert!(!Patience::default().spend(101, 100), "not even once, if that is too much");
    }
}
