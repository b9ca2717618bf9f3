//! Rows as lines of text.
//!
//! Answers can be larger than the text they are about, so writing rows must cost little. Words are
//! kept once more in slots of fixed size: a word is then one look and one copy of fixed size, and
//! what was copied too much is written over by what follows.

use super::batch::Batch;
use super::words::Words;
use rustc_hash::FxHashMap;
use std::sync::atomic::Ordering;

/// Bytes of a slot; the last is the word's length, the space after it included.
const SLOT: usize = 16;

/// The length of a word that does not fit in a slot.
const LONG: u8 = u8::MAX;

/// Words ready to be copied, each with the space that follows it.
///
/// They stand in the order of their bytes, as rows mostly do: the words of a row are then near those
/// of the row before.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<[u8; SLOT]>,
}

impl Slots {
    pub(crate) fn new(words: &Words<'_>) -> Self {
        let slot = |&word: &u32| {
            let text = words.text(word);
            let mut slot = [b' '; SLOT];
            if text.len() + 1 < SLOT {
                slot[..text.len()].copy_from_slice(text);
                slot[SLOT - 1] = text.len() as u8 + 1;
            } else {
                slot[SLOT - 1] = LONG;
            }
            slot
        };
        Self { slots: words.order().word_at.iter().map(slot).collect() }
    }
}

/// What stands for each document at the end of a line.
#[derive(Debug)]
pub struct Labels {
    /// Those that fit, ready to be copied: with the line end, the last byte is the length.
    slots: Vec<[u8; LABEL]>,
    /// The others.
    long: FxHashMap<u32, Vec<u8>>,
}

/// Bytes of a label's slot.
const LABEL: usize = 32;

impl Labels {
    /// A label for each document. They are written as they are.
    pub fn new<L: AsRef<[u8]>>(labels: impl IntoIterator<Item = L>) -> Self {
        let (mut slots, mut long) = (Vec::new(), FxHashMap::default());
        for (label, document) in labels.into_iter().zip(0..) {
            let label = label.as_ref();
            let mut slot = [b'\n'; LABEL];
            if label.len() + 1 < LABEL {
                slot[..label.len()].copy_from_slice(label);
                slot[LABEL - 1] = label.len() as u8 + 1;
            } else {
                slot[LABEL - 1] = LONG;
                long.insert(document, label.to_vec());
            }
            slots.push(slot);
        }
        Self { slots, long }
    }
}

/// A stretch of text being written. It stays in the nearest cache, and its length in a register.
struct Stretch {
    bytes: [u8; STRETCH + SLACK],
}

/// Beyond this length a stretch is complete.
const STRETCH: usize = 1 << 13;

/// Room in a stretch for what is put at once.
const SLACK: usize = 128;

impl Stretch {
    /// Puts all of `bytes` at `at`, of which only the first `len` are wanted: what is too much is
    /// written over by what follows. Copying a fixed size takes less than looking at `len`. Returns
    /// where the text then ends.
    #[inline(always)]
    fn put<const SIZE: usize>(&mut self, at: usize, bytes: &[u8; SIZE], len: usize) -> usize {
        self.bytes[at..at + SIZE].copy_from_slice(bytes);
        at + len
    }

    /// Puts a number between separators.
    #[inline(always)]
    fn put_count(&mut self, at: usize, count: u64, separator: u8) -> usize {
        let digit = |digit: u64| b'0' + digit as u8;
        match count {
            0..10 => self.put(at, &[separator, digit(count), separator, 0], 3),
            10..100 => {
                self.put(at, &[separator, digit(count / 10), digit(count % 10), separator], 4)
            }
            _ => {
                let mut digits = [separator; 22];
                let mut start = digits.len() - 1;
                let mut rest = count;
                while rest > 0 {
                    start -= 1;
                    digits[start] = digit(rest % 10);
                    rest /= 10;
                }
                let digits = &digits[start - 1..];
                self.bytes[at..at + digits.len()].copy_from_slice(digits);
                at + digits.len()
            }
        }
    }
}

/// Words that are fetched before any is written.
const FETCHED: usize = 256;

impl Batch<'_> {
    /// The rows as lines: the words with a space between them, `separator`, the count, and where
    /// rows name documents `separator` and the document's label. Words have neither white space nor
    /// punctuation, so nothing in them needs to be escaped.
    ///
    /// Where a row's words lie is hard to foresee for caches, and where they go depends on the
    /// lengths of all before. So they are fetched in a loop of its own, where none waits for another.
    #[must_use]
    pub fn delimited(&self, separator: u8, labels: &Labels) -> Vec<u8> {
        let slots = &self.words.slots().slots[..];
        let words = self.words_a_row();
        let block = (FETCHED / words).max(1);
        let mut text = Vec::with_capacity(self.room());
        let mut fetched = Vec::with_capacity(block * words);
        let mut fetched_labels = Vec::with_capacity(block);
        let mut stretch = Stretch { bytes: [0; STRETCH + SLACK] };
        let mut len = 0;
        for start in (0..self.len()).step_by(block) {
            let rows = start..(start + block).min(self.len());
            let ranks = &self.ranks[rows.start * words..rows.end * words];
            fetched.clear();
            fetched.extend(ranks.iter().map(|&rank| slots[rank as usize]));
            fetched_labels.clear();
            if self.has_documents() {
                let documents = self.documents[rows.clone()].iter();
                fetched_labels.extend(documents.map(|&document| labels.slots[document as usize]));
            }
            let counts = &self.counts[rows];
            for (row, (&count, slots)) in counts.iter().zip(fetched.chunks_exact(words)).enumerate()
            {
                for (place, slot) in slots.iter().enumerate() {
                    if len > STRETCH {
                        text.extend_from_slice(&stretch.bytes[..len]);
                        len = 0;
                    }
                    match slot[SLOT - 1] {
                        LONG => {
                            text.extend_from_slice(&stretch.bytes[..len]);
                            text.extend_from_slice(self.words.text_at(ranks[row * words + place]));
                            len = stretch.put(0, b" ", 1);
                        }
                        word => len = stretch.put(len, slot, usize::from(word)),
                    }
                }
                // In place of the last space.
                len = stretch.put_count(len - 1, count, separator);
                match fetched_labels.get(row) {
                    // In place of the separator.
                    None => len = stretch.put(len - 1, b"\n", 1),
                    Some(label) if label[LABEL - 1] == LONG => {
                        text.extend_from_slice(&stretch.bytes[..len]);
                        text.extend_from_slice(&labels.long[&self.documents[start + row]]);
                        len = stretch.put(0, b"\n", 1);
                    }
                    Some(label) => len = stretch.put(len, label, usize::from(label[LABEL - 1])),
                }
            }
        }
        text.extend_from_slice(&stretch.bytes[..len]);
        self.bytes_a_row.store(text.len() / self.len().max(1), Ordering::Relaxed);
        text
    }

    /// Bytes that the rows will take, about.
    fn room(&self) -> usize {
        let a_row = match self.bytes_a_row.load(Ordering::Relaxed) {
            0 => 8 * self.words_a_row() + 24,
            bytes => bytes + bytes / 16,
        };
        self.len() * a_row + STRETCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Interner, TokenClass};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_are_the_rows(
            words in proptest::collection::vec("[a-z\u{4e00}]{1,25}", 1..20),
            rows in proptest::collection::vec((any::<[u32; 2]>(), any::<u64>(), 0u32..3), 1..50),
            of_documents in any::<bool>(),
        ) {
            let mut table = Interner::default();
            for word in &words {
                table.intern(TokenClass::Spaced, word.as_bytes());
            }
            let distinct = table.len() as u32;
            let view = Words::own(table, Vec::new());
            let names = [b"a".to_vec(), Vec::new(), vec![b'x'; 300]];
            let mut batch = Batch::new(&view, 2);
            let mut expected = Vec::new();
            for (numbers, count, document) in rows {
                let numbers = numbers.map(|number| number % distinct);
                let count = count >> (count % 64);
                let document = of_documents.then_some(document);
                batch.push(numbers.into_iter(), count, document);
                let texts = numbers.map(|rank| String::from_utf8_lossy(view.text_at(rank)).into_owned());
                expected.extend_from_slice(format!("{}|{count}", texts.join(" ")).as_bytes());
                if let Some(document) = document {
                    expected.push(b'|');
                    expected.extend_from_slice(&names[document as usize]);
                }
                expected.push(b'\n');
            }
            prop_assert_eq!(batch.delimited(b'|', &Labels::new(&names)), expected);
        }
    }
}
