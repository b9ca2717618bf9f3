//! Numbers distinct tokens in the order of their first occurrence.

use super::TokenClass;
use hashbrown::HashTable;
use std::hash::Hasher;

/// Gives each distinct token a provisional id while a corpus is being read.
///
/// All token bytes are in one arena. A table entry has 16 bytes, so that a look-up reads the table and,
/// only for a likely match of a long token, the arena.
#[derive(Debug, Default)]
pub struct Interner {
    table: HashTable<Entry>,
    arena: Vec<u8>,
    starts: Vec<u64>,
    classes: Vec<TokenClass>,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// All bytes of a short token, or the offset of a long one in the arena.
    key: u64,
    id: u32,
    /// Part of the hash, and the length: rules out nearly all false matches without reading the arena.
    tag: u32,
}

/// Tokens of up to this many bytes are short; most are.
const SHORT: usize = 8;

/// The length in the tag of tokens that are at least this long.
const LONG: usize = 0xFF;

/// A token's length in the lower 8 bits, 24 bits of its hash above.
fn tag_of(bytes: &[u8], hash: u64) -> u32 {
    (hash >> 32) as u32 & !0xFF | bytes.len().min(LONG) as u32
}

/// A short token's bytes as one number, different from that of any other token of its length.
#[inline]
fn short_key(bytes: &[u8]) -> u64 {
    let four = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"));
    match bytes.len() {
        0 => 0,
        len @ 1..4 => {
            let [first, middle, last] = [bytes[0], bytes[len / 2], bytes[len - 1]].map(u64::from);
            first | middle << 8 | last << 16
        }
        len => u64::from(four(0)) | u64::from(four(len - 4)) << 32,
    }
}

impl Interner {
    /// The id of a token; a new token gets the next id, from 0.
    #[inline]
    pub fn intern(&mut self, class: TokenClass, bytes: &[u8]) -> u32 {
        let hash = hash(bytes);
        match self.find_hashed(bytes, hash) {
            Some(id) => id,
            None => self.insert(class, bytes, hash),
        }
    }

    /// The id of a token, if it has one.
    #[must_use]
    pub fn find(&self, bytes: &[u8]) -> Option<u32> {
        self.find_hashed(bytes, hash(bytes))
    }

    #[inline]
    fn find_hashed(&self, bytes: &[u8], hash: u64) -> Option<u32> {
        let tag = tag_of(bytes, hash);
        let found = if bytes.len() <= SHORT {
            let key = short_key(bytes);
            self.table.find(hash, |entry| entry.tag == tag && entry.key == key)
        } else {
            self.table.find(hash, |entry| entry.tag == tag && self.is_long(entry, bytes))
        };
        found.map(|entry| entry.id)
    }

    /// Whether a long token of the same tag is this one.
    fn is_long(&self, entry: &Entry, bytes: &[u8]) -> bool {
        // The tag nearly always has the length, so the list of starts is not needed.
        if bytes.len() < LONG {
            let start = entry.key as usize;
            self.arena[start..start + bytes.len()] == *bytes
        } else {
            self.bytes(entry.id) == bytes
        }
    }

    #[cold]
    fn insert(&mut self, class: TokenClass, bytes: &[u8], hash_of_bytes: u64) -> u32 {
        let tag = tag_of(bytes, hash_of_bytes);
        let id = self.starts.len() as u32;
        let start = self.arena.len() as u64;
        self.arena.extend_from_slice(bytes);
        self.starts.push(start);
        self.classes.push(class);
        let key = if bytes.len() <= SHORT { short_key(bytes) } else { start };
        let (arena, starts) = (&self.arena, &self.starts);
        self.table.insert_unique(hash_of_bytes, Entry { key, id, tag }, |entry| {
            let start = starts[entry.id as usize] as usize;
            let end = starts.get(entry.id as usize + 1).map_or(arena.len(), |&e| e as usize);
            hash(&arena[start..end])
        });
        id
    }

    /// The ids of all tokens of another interner; new tokens get new ids.
    pub(crate) fn intern_all(&mut self, other: &Self) -> Vec<u32> {
        (0..other.len() as u32).map(|id| self.intern(other.class(id), other.bytes(id))).collect()
    }

    /// Removes all tokens and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.table.clear();
        self.arena.clear();
        self.starts.clear();
        self.classes.clear();
    }

    /// Number of distinct tokens.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether nothing was interned yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// A token's bytes.
    #[must_use]
    pub fn bytes(&self, id: u32) -> &[u8] {
        let start = self.starts[id as usize] as usize;
        let end = self.starts.get(id as usize + 1).map_or(self.arena.len(), |&e| e as usize);
        &self.arena[start..end]
    }

    /// A token's class.
    #[must_use]
    pub fn class(&self, id: u32) -> TokenClass {
        self.classes[id as usize]
    }

    /// About how many bytes of memory it holds.
    #[must_use]
    pub fn memory(&self) -> u64 {
        (self.arena.capacity() + self.starts.capacity() * 9 + self.table.capacity() * 17) as u64
    }
}

#[inline]
fn hash(bytes: &[u8]) -> u64 {
    let hash = if bytes.len() <= SHORT {
        let product = u128::from(short_key(bytes) ^ FACTOR) * u128::from(FACTOR);
        (product as u64 ^ (product >> 64) as u64) ^ bytes.len() as u64
    } else {
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(bytes);
        hasher.finish()
    };
    // FxHasher's top bits are its best ones; the table needs good bits at both ends.
    hash.wrapping_mul(FACTOR).rotate_left(32)
}

/// 2^64 divided by the golden ratio.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn ids_count_up_from_first_appearances(
            tokens in proptest::collection::vec(
                prop_oneof![
                    proptest::collection::vec(0u8..2, 0..10),
                    proptest::collection::vec(any::<u8>(), 0..10),
                    (250usize..260, 0u8..2).prop_map(|(len, byte)| vec![byte; len]),
                ],
                0..300,
            ),
        ) {
            let mut interner = Interner::default();
            let mut ids: HashMap<Vec<u8>, u32> = HashMap::new();
            for token in tokens {
                let next = ids.len() as u32;
                let id = *ids.entry(token.clone()).or_insert(next);
                prop_assert_eq!(interner.find(&token), (id < next).then_some(id));
                prop_assert_eq!(interner.intern(TokenClass::Separator, &token), id);
                prop_assert_eq!(interner.bytes(id), &token[..]);
            }
            prop_assert_eq!(interner.len(), ids.len());
        }
    }
}
