//! Rows as lines of text.
//!
//! Answers can be larger than the text they are about, so writing rows must cost little. Words are
//! kept once more in slots of fixed size: a word is then one look and one copy of fixed size, and
//! what was copied too much is written over by what follows.

use super::batch::Batch;
use super::words::Words;

/// Bytes of a slot; the last is the word's length.
const SLOT: usize = 16;

/// The length of a word that does not fit in a slot.
const LONG: u8 = u8::MAX;

/// Words ready to be copied.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<[u8; SLOT]>,
}

impl Slots {
    pub(crate) fn new(words: &Words<'_>) -> Self {
        let slot = |word: u32| {
            let text = words.text(word);
            let mut slot = [0; SLOT];
            if text.len() < SLOT {
                slot[..text.len()].copy_from_slice(text);
                slot[SLOT - 1] = text.len() as u8;
            } else {
                slot[SLOT - 1] = LONG;
            }
            slot
        };
        Self { slots: (0..words.len() as u32).map(slot).collect() }
    }
}

/// Text being written: the bytes up to `len` count.
struct Text {
    bytes: Vec<u8>,
    len: usize,
}

impl Text {
    /// Makes room for `more` bytes.
    #[inline(always)]
    fn reserve(&mut self, more: usize) {
        if self.bytes.len() < self.len + more {
            self.bytes.resize((self.len + more) * 2, 0);
        }
    }

    /// Appends bytes for which there is room.
    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.len..self.len + bytes.len()].copy_from_slice(bytes);
        self.len += bytes.len();
    }

    /// Appends the first `len` of [`SLOT`] bytes.
    #[inline(always)]
    fn put_slot(&mut self, slot: &[u8; SLOT], len: usize) {
        self.bytes[self.len..self.len + SLOT].copy_from_slice(slot);
        self.len += len;
    }

    #[inline(always)]
    fn put_byte(&mut self, byte: u8) {
        self.bytes[self.len] = byte;
        self.len += 1;
    }

    fn put_number(&mut self, number: u64) {
        let mut digits = [0; 20];
        let mut start = digits.len();
        let mut rest = number;
        while start == digits.len() || rest > 0 {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        self.put(&digits[start..]);
    }
}

/// Room for a count, separators and what slots copy too much.
const SLACK: usize = 64;

impl Batch<'_> {
    /// The rows as lines: the words with a space between them, `separator`, the count, and where
    /// rows name documents `separator` and what `documents` has for it. Words have neither white
    /// space nor punctuation, so nothing in them needs to be escaped.
    #[must_use]
    pub fn delimited(&self, separator: u8, documents: &[Vec<u8>]) -> Vec<u8> {
        let slots = self.words.slots();
        let mut text = Text { bytes: vec![0; self.len() * 32 + SLACK], len: 0 };
        for row in self.rows() {
            let document = row.document.map_or(&[][..], |number| &documents[number as usize]);
            text.reserve(row.numbers.len() * (SLOT + 1) + document.len() + SLACK);
            for &number in row.numbers {
                let slot = &slots.slots[number as usize];
                match slot[SLOT - 1] {
                    LONG => {
                        let word = self.words.text(number);
                        text.reserve(
                            word.len() + row.numbers.len() * (SLOT + 1) + document.len() + SLACK,
                        );
                        text.put(word);
                    }
                    len => text.put_slot(slot, usize::from(len)),
                }
                text.put_byte(b' ');
            }
            // In place of the last space.
            text.len -= 1;
            text.put_byte(separator);
            match row.count {
                count @ 0..10 => text.put_byte(b'0' + count as u8),
                count => text.put_number(count),
            }
            if row.document.is_some() {
                text.put_byte(separator);
                text.put(document);
            }
            text.put_byte(b'\n');
        }
        text.bytes.truncate(text.len);
        text.bytes
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
                let texts = numbers.map(|number| String::from_utf8_lossy(view.text(number)).into_owned());
                expected.extend_from_slice(format!("{}|{count}", texts.join(" ")).as_bytes());
                if let Some(document) = document {
                    expected.push(b'|');
                    expected.extend_from_slice(&names[document as usize]);
                }
                expected.push(b'\n');
            }
            prop_assert_eq!(batch.delimited(b'|', &names), expected);
        }
    }
}
