//! The digram index of Sequitur: maps a pair of symbols to the node at which it occurs.
//!
//! An open-addressing table with linear probing and deletion by backward shift, so that the
//! millions of deletions of a build leave no tombstones. A slot is one word: 32 bits of the pair's
//! hash and the number of the node. Because of the hash, a probe reads a node only when it is almost
//! certainly the right one, deletion compares words, and growth reads no node.
//!
//! The home of a hash is `hash * capacity / 2^32`, which allows any capacity: the table grows by
//! half, not by doubling, and takes between 10 and 15 bytes per digram. Each index has a random seed for
//! its hash, so no text can be made whose digrams all collide. The grammar does not depend on the seed,
//! because the table answers exactly.

use std::hash::{BuildHasher, RandomState};

use crate::grammar::Symbol;

/// A pair of neighbouring symbols.
pub(super) type Pair = (Symbol, Symbol);

/// No node: there is no node 0.
const EMPTY: u64 = 0;

/// Capacity of a new index; must be such that [`grown`] makes it larger.
const INITIAL_CAPACITY: usize = 1 << 10;

/// Maps pairs to nodes. The pairs themselves are in the caller's nodes.
pub(super) struct DigramIndex {
    slots: Vec<u64>,
    len: usize,
    /// How many digrams fit before the table grows.
    limit: usize,
    /// Random and odd: the hash's seed.
    multiplier: u64,
}

/// The result of a look-up.
pub(super) enum Probe {
    /// The pair is known.
    Known {
        /// Where; valid until the next insertion or removal.
        slot: usize,
        /// The node that starts its occurrence.
        node: u32,
    },
    /// The pair is not known and belongs here; valid until the next insertion or removal.
    Vacant(usize),
}

impl DigramIndex {
    pub(super) fn new() -> Self {
        Self {
            slots: vec![EMPTY; INITIAL_CAPACITY],
            len: 0,
            limit: limit(INITIAL_CAPACITY),
            multiplier: RandomState::new().hash_one(0u8) | 1,
        }
    }

    /// The hash that the other functions ask for.
    #[inline]
    pub(super) fn hash(&self, pair: Pair) -> u32 {
        let word = u64::from(pair.0) << 32 | u64::from(pair.1);
        let product = u128::from(word) * u128::from(self.multiplier);
        (((product >> 64) as u64 ^ product as u64) >> 32) as u32
    }

    /// Reads the slot of a pair and discards it, so that it is in the cache when the pair is looked up
    /// soon after. That saves about a tenth of the time of a large build.
    #[inline]
    pub(super) fn fetch(&self, pair: Pair) {
        std::hint::black_box(self.slots[self.home(self.hash(pair))]);
    }

    /// Makes room for one more digram.
    #[inline]
    pub(super) fn reserve_one(&mut self) {
        if self.len == self.limit {
            self.grow();
        }
    }

    /// Looks a pair up by its hash; `is_pair` decides whether a node starts the pair.
    #[inline]
    pub(super) fn probe(&self, hash: u32, is_pair: impl Fn(u32) -> bool) -> Probe {
        let mut slot = self.home(hash);
        loop {
            let word = self.slots[slot];
            if word == EMPTY {
                return Probe::Vacant(slot);
            }
            if (word >> 32) as u32 == hash && is_pair(word as u32) {
                return Probe::Known { slot, node: word as u32 };
            }
            slot = self.after(slot);
        }
    }

    /// Fills a slot that [`probe`](Self::probe) found vacant.
    #[inline]
    pub(super) fn fill(&mut self, slot: usize, hash: u32, node: u32) {
        debug_assert!(self.slots[slot] == EMPTY && self.len < self.limit && node != 0);
        self.slots[slot] = pack(hash, node);
        self.len += 1;
    }

    /// Replaces the node of a known pair by another that starts the same pair.
    #[inline]
    pub(super) fn repoint(&mut self, slot: usize, node: u32) {
        self.slots[slot] = self.slots[slot] >> 32 << 32 | u64::from(node);
    }

    /// Removes a pair if `node` is its known occurrence.
    #[inline]
    pub(super) fn remove(&mut self, hash: u32, node: u32) {
        if let Some(slot) = self.slot_of(hash, node) {
            self.close_gap(slot);
            self.len -= 1;
        }
    }

    /// The slot of a pair, if `node` is its known occurrence.
    #[inline]
    pub(super) fn slot_of(&self, hash: u32, node: u32) -> Option<usize> {
        let sought = pack(hash, node);
        let mut slot = self.home(hash);
        while self.slots[slot] != sought {
            if self.slots[slot] == EMPTY {
                return None;
            }
            slot = self.after(slot);
        }
        Some(slot)
    }

    /// Moves later words of the run back, so that each stays reachable from its home.
    fn close_gap(&mut self, mut gap: usize) {
        let mut slot = gap;
        loop {
            slot = self.after(slot);
            let word = self.slots[slot];
            if word == EMPTY {
                break;
            }
            let from_home = self.distance(self.home((word >> 32) as u32), slot);
            if from_home >= self.distance(gap, slot) {
                self.slots[gap] = word;
                gap = slot;
            }
        }
        self.slots[gap] = EMPTY;
    }

    #[cold]
    fn grow(&mut self) {
        let capacity = grown(self.slots.len());
        let old = std::mem::replace(&mut self.slots, vec![EMPTY; capacity]);
        self.limit = limit(capacity);
        for word in old.into_iter().filter(|&word| word != EMPTY) {
            let mut slot = self.home((word >> 32) as u32);
            while self.slots[slot] != EMPTY {
                slot = self.after(slot);
            }
            self.slots[slot] = word;
        }
    }

    #[inline]
    fn home(&self, hash: u32) -> usize {
        ((u64::from(hash) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    /// Slots from one to another, around the end of the table.
    #[inline]
    fn distance(&self, from: usize, to: usize) -> usize {
        if to >= from { to - from } else { to + self.slots.len() - from }
    }
}

fn pack(hash: u32, node: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(node)
}

/// Four fifths: above that, runs become long.
fn limit(capacity: usize) -> usize {
    capacity / 5 * 4
}

fn grown(capacity: usize) -> usize {
    capacity + capacity / 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        /// Hashes from few homes make long runs, also around the end of the table.
        #[test]
        fn answers_like_a_map(
            steps in prop::collection::vec((any::<bool>(), 0u32..40, 0u32..3), 0..600)
        ) {
            let mut index = DigramIndex::new();
            let mut model: HashMap<u32, u32> = HashMap::new();
            for (insert, key, home) in steps {
                // The key represents the pair; a node is its key and home.
                let node = 1 + key * 3 + home;
                let hash = [0, u32::MAX, u32::MAX / 3][home as usize];
                index.reserve_one();
                match index.probe(hash, |other| other == node) {
                    Probe::Vacant(slot) => {
                        prop_assert!(!model.contains_key(&node));
                        if insert {
                            index.fill(slot, hash, node);
                            model.insert(node, hash);
                        }
                    }
                    Probe::Known { node: known, slot } => {
                        prop_assert_eq!(known, node);
                        prop_assert_eq!(index.slot_of(hash, node), Some(slot));
                        if !insert {
                            index.remove(hash, node);
                            model.remove(&node);
                        }
                    }
                }
                for (&node, &hash) in &model {
                    prop_assert!(index.slot_of(hash, node).is_some());
                }
                prop_assert_eq!(index.len, model.len());
            }
        }
    }

    #[test]
    fn growth_keeps_every_digram() {
        let mut index = DigramIndex::new();
        let pair_of = |node: u32| (node / 7, node);
        for node in 1..10_000 {
            index.reserve_one();
            let hash = index.hash(pair_of(node));
            match index.probe(hash, |other| pair_of(other) == pair_of(node)) {
                Probe::Vacant(slot) => index.fill(slot, hash, node),
                Probe::Known { .. } => panic!("pair {node} is new"),
            }
        }
        for node in 1..10_000 {
            assert!(index.slot_of(index.hash(pair_of(node)), node).is_some());
        }
        assert!(index.slots.len() < 10_000 * 2);
    }
}
