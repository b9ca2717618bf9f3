//! Decides when an index is worth building.
//!
//! Building an index takes as long as some number of queries without it, and nobody knows how many will
//! follow. If it is built once the queries have cost about as much, no caller waits for an index that is
//! hardly used, and the total time is at most about twice the best possible.

use std::sync::atomic::{AtomicU64, Ordering};

/// The work done so far without an index.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    spent: AtomicU64,
}

impl Patience {
    /// Adds more work. Returns `false` once the total exceeds `worth`: then the index should be built.
    #[must_use]
    pub(crate) fn spend(&self, more: u64, worth: u64) -> bool {
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
