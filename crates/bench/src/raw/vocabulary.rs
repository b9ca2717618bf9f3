//! Numbers for words.
//!
//! A word of up to 16 bytes is its own key: two registers, padded with zeros, which no word
//! contains. The table is open addressing with linear probing; longer words, one in some thousands,
//! go to a map of their own.

use rustc_hash::FxHashMap;

use super::documents::Text;
use super::words::for_each_word;

/// Words of up to this many bytes are their own keys.
const SHORT: usize = 16;

/// A text must be followed by this many zero bytes for its words to be looked up.
pub const PADDING: usize = SHORT;

/// Words looked up together.
const BATCH: usize = 64;

/// Slots at the beginning; a power of two.
const FIRST_SLOTS: usize = 1 << 14;

/// The masks that cut a word of a length out of sixteen bytes.
const MASKS: [(u64, u64); SHORT + 1] = {
    let mut masks = [(u64::MAX, u64::MAX); SHORT + 1];
    let mut length = 0;
    while length < SHORT {
        masks[length] = if length < 8 {
            ((1 << (8 * length)) - 1, 0)
        } else {
            (u64::MAX, (1 << (8 * (length - 8))) - 1)
        };
        length += 1;
    }
    masks
};

/// Aligned, so that no slot lies in two lines of the cache.
#[derive(Clone, Copy, Debug, Default)]
#[repr(align(32))]
struct Slot {
    key: (u64, u64),
    /// The number plus one; 0 in an empty slot.
    id: u32,
}

/// The words seen so far, numbered from 0 in the order they came.
#[derive(Debug)]
pub struct Vocabulary {
    slots: Vec<Slot>,
    long: FxHashMap<Box<[u8]>, u32>,
    spellings: Vec<Spelling>,
    long_spellings: Vec<Box<[u8]>>,
}

/// How a word is written: in place, or by its index among long ones.
#[derive(Clone, Copy, Debug)]
struct Spelling {
    bytes: [u8; SHORT],
    length: u32,
}

impl Default for Vocabulary {
    fn default() -> Self {
        Self {
            slots: vec![Slot::default(); FIRST_SLOTS],
            long: FxHashMap::default(),
            spellings: Vec::new(),
            long_spellings: Vec::new(),
        }
    }
}

impl Vocabulary {
    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.spellings.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.spellings.is_empty()
    }

    /// Calls `emit` with the number of every word of `text`, in order; words that were not seen
    /// before get new ones.
    ///
    /// Words are looked up in batches: first all in the slot where most of them are, without a branch,
    /// so that memory accesses overlap; then the few that were not there.
    #[inline]
    pub fn number_words(&mut self, text: &Text, mut emit: impl FnMut(u32)) {
        let mut spans = [(0, 0); BATCH];
        let mut filled = 0;
        for_each_word(text.bytes(), |start, end| {
            spans[filled] = (start, end);
            filled += 1;
            if filled == BATCH {
                self.number_batch(text.padded(), &spans, &mut emit);
                filled = 0;
            }
        });
        self.number_batch(text.padded(), &spans[..filled], &mut emit);
    }

    #[inline]
    fn number_batch(
        &mut self,
        padded: &[u8],
        spans: &[(usize, usize)],
        emit: &mut impl FnMut(u32),
    ) {
        let mut found = [0; BATCH];
        let mask = self.slots.len() - 1;
        for (found, &(start, end)) in found.iter_mut().zip(spans) {
            let bytes: &[u8; SHORT] = padded[start..].first_chunk().expect("padding");
            let key = cut(bytes, (end - start).min(SHORT));
            let slot = &self.slots[hash(key) as usize & mask];
            // A long word may be found by its beginning; that is no match.
            let same = (slot.key.0 ^ key.0) | (slot.key.1 ^ key.1) == 0 && end - start <= SHORT;
            *found = if same { slot.id } else { 0 };
        }
        for (found, &(start, end)) in found.iter().zip(spans) {
            emit(if *found > 0 { found - 1 } else { self.number(padded, start, end) });
        }
    }

    /// The number of the word at `start..end` of `padded`.
    #[inline(never)]
    fn number(&mut self, padded: &[u8], start: usize, end: usize) -> u32 {
        let length = end - start;
        if length > SHORT {
            return self.number_long(&padded[start..end]);
        }
        let key = cut(padded[start..].first_chunk().expect("padding"), length);
        let mask = self.slots.len() - 1;
        let mut at = hash(key) as usize & mask;
        loop {
            let slot = &self.slots[at];
            if slot.id == 0 {
                return self.insert(at, key, length);
            }
            if slot.key == key {
                return slot.id - 1;
            }
            at = (at + 1) & mask;
        }
    }

    /// The number of a single word.
    pub fn number_of(&mut self, word: &[u8]) -> u32 {
        let padded = [word, &[0; PADDING]].concat();
        self.number(&padded, 0, word.len())
    }

    /// The bytes of a word.
    #[must_use]
    pub fn spelling(&self, id: u32) -> &[u8] {
        let Spelling { bytes, length } = &self.spellings[id as usize];
        match bytes.get(..*length as usize) {
            Some(bytes) => bytes,
            None => self.long_spelling(bytes),
        }
    }

    /// Adds the word to `out`.
    #[inline]
    pub fn write(&self, id: u32, out: &mut Vec<u8>) {
        let Spelling { bytes, length } = &self.spellings[id as usize];
        if *length as usize <= SHORT {
            // Copies all sixteen bytes and then truncates: no call, no branch.
            out.extend_from_slice(bytes);
            out.truncate(out.len() - SHORT + *length as usize);
        } else {
            out.extend_from_slice(self.long_spelling(bytes));
        }
    }

    #[cold]
    fn long_spelling(&self, bytes: &[u8; SHORT]) -> &[u8] {
        let [a, b, c, d, ..] = *bytes;
        &self.long_spellings[u32::from_le_bytes([a, b, c, d]) as usize]
    }

    #[cold]
    #[inline(never)]
    fn insert(&mut self, at: usize, key: (u64, u64), length: usize) -> u32 {
        let id = self.spellings.len() as u32;
        let mut bytes = [0; SHORT];
        bytes[..8].copy_from_slice(&key.0.to_le_bytes());
        bytes[8..].copy_from_slice(&key.1.to_le_bytes());
        self.spellings.push(Spelling { bytes, length: length as u32 });
        self.slots[at] = Slot { key, id: id + 1 };
        if self.spellings.len() * 2 > self.slots.len() {
            self.grow();
        }
        id
    }

    /// Doubles the table. Words are inserted again by number: those seen first, which are the frequent
    /// ones, get the slots that are probed first.
    fn grow(&mut self) {
        self.slots = vec![Slot::default(); self.slots.len() * 2];
        let mask = self.slots.len() - 1;
        for (id, Spelling { bytes, length }) in (1..).zip(&self.spellings) {
            if *length as usize > SHORT {
                continue;
            }
            let key = cut(bytes, SHORT);
            let mut at = hash(key) as usize & mask;
            while self.slots[at].id > 0 {
                at = (at + 1) & mask;
            }
            self.slots[at] = Slot { key, id };
        }
    }

    #[cold]
    fn number_long(&mut self, word: &[u8]) -> u32 {
        if let Some(&id) = self.long.get(word) {
            return id;
        }
        let id = self.spellings.len() as u32;
        let mut bytes = [0; SHORT];
        bytes[..4].copy_from_slice(&(self.long_spellings.len() as u32).to_le_bytes());
        self.spellings.push(Spelling { bytes, length: word.len() as u32 });
        self.long_spellings.push(word.into());
        self.long.insert(word.into(), id);
        id
    }
}

#[inline]
fn cut(bytes: &[u8; SHORT], length: usize) -> (u64, u64) {
    let [low, high]: [u64; 2] =
        [0, 8].map(|at| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes")));
    let masks = MASKS[length];
    (low & masks.0, high & masks.1)
}

/// Both halves of a product, folded: every bit of the key reaches the low bits.
#[inline]
fn hash((low, high): (u64, u64)) -> u64 {
    let product =
        u128::from(low ^ 0x9E37_79B9_7F4A_7C15) * u128::from(high ^ 0xD1B5_4A32_D192_ED03);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_all_lengths_keep_their_numbers() {
        let mut vocabulary = Vocabulary::default();
        let words: Vec<Vec<u8>> =
            (1..40).flat_map(|length| [b"a".repeat(length), b"b".repeat(length)]).collect();
        for (id, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.number_of(word), id as u32);
        }
        for (id, word) in words.iter().enumerate() {
            assert_eq!(vocabulary.number_of(word), id as u32);
            assert_eq!(vocabulary.spelling(id as u32), &word[..]);
            let mut out = b"<".to_vec();
            vocabulary.write(id as u32, &mut out);
            assert_eq!(out[1..], word[..]);
        }
    }

    #[test]
    fn what_follows_a_word_does_not_matter() {
        let mut vocabulary = Vocabulary::default();
        let text = b"abc abcd abc\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";
        assert_eq!(vocabulary.number(text, 0, 3), 0);
        assert_eq!(vocabulary.number(text, 4, 8), 1);
        assert_eq!(vocabulary.number(text, 9, 12), 0);
    }

    #[test]
    fn many_words() {
        let mut vocabulary = Vocabulary::default();
        for round in 0..2 {
            for number in 0..100_000u32 {
                assert_eq!(vocabulary.number_of(number.to_string().as_bytes()), number, "{round}");
            }
        }
        assert_eq!(vocabulary.len(), 100_000);
    }
}
