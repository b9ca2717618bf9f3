//! A hash table from words to ids.
//!
//! A [`Dictionary`] finds a token by one binary search per group, which takes several microseconds. For
//! many look-ups a table of ids pays off: four bytes per id, plus the table's free slots.

use crate::token::Dictionary;
use hashbrown::HashTable;
use xxhash_rust::xxh3::xxh3_64;

pub(super) struct Vocabulary {
    ids: HashTable<u32>,
}

impl Vocabulary {
    pub(super) fn new(dictionary: &Dictionary) -> Self {
        let hash = |&id: &u32| xxh3_64(dictionary.bytes(id));
        let mut ids = HashTable::with_capacity(dictionary.len());
        for id in 0..dictionary.len() as u32 {
            ids.insert_unique(hash(&id), id, hash);
        }
        Self { ids }
    }

    /// The id of a token with these bytes.
    pub(super) fn find(&self, dictionary: &Dictionary, bytes: &[u8]) -> Option<u32> {
        self.ids.find(xxh3_64(bytes), |&id| dictionary.bytes(id) == bytes).copied()
    }
}
