//! Rows as lines of text.
//!
//! Answers can be larger than the text, so writing rows must be cheap. A copy of each word is kept
//! in a slot of fixed size. Writing a word is then one lookup and one copy of fixed size; the next
//! copy overwrites the surplus. Labels of documents and small counts have slots too ([`Labels`]).
//! What does not fit in its slot is written by a slower path.

use super::labels::{COUNT, LONG, LabelSlots, Labels, RowText};
use super::row_batch::{Naming, RowBatch};
use super::words::Words;
use std::ops::Range;

/// Size of a slot. The last byte is the length of the word with the space after it.
const SLOT: usize = 16;

/// Words in slots, each with the space that follows it.
///
/// They are in the order of their bytes, as most rows are, so that the words of a row are near
/// those of the row before.
#[derive(Debug)]
pub(crate) struct Slots {
    slots: Vec<[u8; SLOT]>,
}

impl Slots {
    pub(crate) fn new(words: &Words<'_>) -> Self {
        let slot = |&word: &u32| slot(words.text(word));
        Self { slots: words.order().word_at.iter().map(slot).collect() }
    }
}

/// A word and the space that follows it, if they fit.
#[inline(always)]
fn slot(text: &[u8]) -> [u8; SLOT] {
    let mut slot = [b' '; SLOT];
    if text.len() + 1 < SLOT {
        slot[..text.len()].copy_from_slice(text);
        slot[SLOT - 1] = text.len() as u8 + 1;
    } else {
        slot[SLOT - 1] = LONG;
    }
    slot
}

/// Copies a fixed number of bytes.
#[inline(always)]
fn put<const SIZE: usize>(text: &mut [u8], at: usize, bytes: &[u8; SIZE]) {
    text[at..at + SIZE].copy_from_slice(bytes);
}

/// Words to fetch before any is written.
const FETCHED: usize = 256;

impl RowBatch<'_> {
    /// The rows as lines: the words with a space between them, the count, and the document's label
    /// where rows have a document. Words have neither white space nor punctuation, so nothing in
    /// them needs to be escaped.
    #[must_use]
    pub fn delimited<'l>(&self, labels: &'l Labels) -> RowText<'l> {
        let mut lines = labels.lines();
        match &labels.slots {
            LabelSlots::Narrow(slots) => self.write_all(slots, labels, &mut lines),
            LabelSlots::Wide(slots) => self.write_all(slots, labels, &mut lines),
        }
        lines
    }

    fn write_all<const LABEL: usize>(
        &self,
        ends: &[[u8; LABEL]],
        labels: &Labels,
        lines: &mut RowText<'_>,
    ) {
        match self.words_a_row() {
            1 => self.write::<1, LABEL>(ends, labels, lines),
            2 => self.write::<2, LABEL>(ends, labels, lines),
            3 => self.write::<3, LABEL>(ends, labels, lines),
            _ => self.write::<0, LABEL>(ends, labels, lines),
        }
    }

    /// Writes all rows; they have `WORDS` words, or any number if that is 0, and `ends` if they name
    /// documents.
    ///
    /// Caches cannot predict where a row's words are, and where a word is written depends on the
    /// lengths of all words before it. So slots are fetched in a separate loop, where no load waits
    /// for another.
    fn write<const WORDS: usize, const LABEL: usize>(
        &self,
        ends: &[[u8; LABEL]],
        labels: &Labels,
        lines: &mut RowText<'_>,
    ) {
        let words = if WORDS == 0 { self.words_a_row() } else { WORDS };
        let block = (FETCHED / words).max(1);
        let mut fetched = Vec::with_capacity(block * words);
        for start in (0..self.len()).step_by(block) {
            let mut rows = start..(start + block).min(self.len());
            fetched.clear();
            self.fetch(&self.names[rows.start * words..rows.end * words], &mut fetched);
            while !rows.is_empty() {
                lines.reserve(rows.len() * (words * SLOT + COUNT + LABEL));
                let slots = &fetched[(rows.start - start) * words..];
                let written =
                    self.write_short::<WORDS, LABEL>(rows.clone(), slots, ends, labels, lines);
                rows.start += written;
                if let Some(slots) = slots.chunks_exact(words).nth(written) {
                    self.write_any(rows.start, slots, ends, labels, lines);
                    rows.start += 1;
                }
            }
        }
    }

    /// Appends the slots of words.
    fn fetch(&self, names: &[u32], fetched: &mut Vec<[u8; SLOT]>) {
        match self.naming {
            Naming::ByRank => {
                let slots = &self.words.slots().slots[..];
                fetched.extend(names.iter().map(|&rank| slots[rank as usize]));
            }
            Naming::ByNumber => {
                fetched.extend(names.iter().map(|&number| slot(self.words.words.text(number))));
            }
        }
    }

    /// Writes rows, whose words are in `slots`, up to the first row of which something does not fit
    /// in its slot. Returns how many it wrote. There must be room.
    #[inline(always)]
    fn write_short<const WORDS: usize, const LABEL: usize>(
        &self,
        rows: Range<usize>,
        slots: &[[u8; SLOT]],
        ends: &[[u8; LABEL]],
        labels: &Labels,
        lines: &mut RowText<'_>,
    ) -> usize {
        let words = if WORDS == 0 { self.words_a_row() } else { WORDS };
        let counts = &self.counts[rows.clone()];
        let documents = if self.has_documents() { &self.documents[rows] } else { &[] };
        // These stay in registers.
        let (text, mut at) = (&mut lines.bytes[..], lines.len);
        let mut written = 0;
        for (slots, &count) in slots.chunks_exact(words).zip(counts) {
            // Lengths have few bits, and `LONG` has all.
            let longest = slots.iter().fold(0, |bits, slot| bits | slot[SLOT - 1]);
            let Some(count) = labels.ready(count).filter(|_| longest != LONG) else { break };
            let label = documents.get(written).map(|&document| &ends[document as usize]);
            if label.is_some_and(|label| label[LABEL - 1] == LONG) {
                break;
            }
            for slot in slots {
                put(text, at, slot);
                at += usize::from(slot[SLOT - 1]);
            }
            // In place of the last space.
            put(text, at - 1, count);
            at += usize::from(count[COUNT - 1]) - 1;
            match label {
                Some(label) => {
                    put(text, at, label);
                    at += usize::from(label[LABEL - 1]);
                }
                // In place of the separator.
                None => put(text, at - 1, b"\n"),
            }
            written += 1;
        }
        lines.len = at;
        written
    }

    /// Writes any row, whose words are in `slots` if they fit.
    #[inline(never)]
    fn write_any<const LABEL: usize>(
        &self,
        row: usize,
        slots: &[[u8; SLOT]],
        ends: &[[u8; LABEL]],
        labels: &Labels,
        lines: &mut RowText<'_>,
    ) {
        let words = self.words_a_row();
        for (slot, &name) in slots.iter().zip(&self.names[row * words..(row + 1) * words]) {
            match slot[SLOT - 1] {
                LONG => {
                    lines.put(self.naming.text(self.words.words, name));
                    lines.put(b" ");
                }
                len => lines.put_slot(slot, len),
            }
        }
        // In place of the last space.
        lines.len -= 1;
        let count = self.counts[row];
        match labels.ready(count) {
            Some(slot) => lines.put_slot(slot, slot[COUNT - 1]),
            None => {
                lines.put(&[labels.separator]);
                lines.put(count.to_string().as_bytes());
                lines.put(&[labels.separator]);
            }
        }
        if !self.has_documents() {
            // In place of the separator.
            lines.len -= 1;
            return lines.put(b"\n");
        }
        let document = self.documents[row];
        let slot = &ends[document as usize];
        match slot[LABEL - 1] {
            LONG => {
                lines.put(&labels.long[&document]);
                lines.put(b"\n");
            }
            len => lines.put_slot(slot, len),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::labels::{NARROW, WIDE};
    use crate::analytics::row_batch::RowWords;
    use crate::token::{Interner, TokenClass};
    use proptest::prelude::*;

    /// Compares the lines of a batch with the expected ones.
    fn check(
        words: &[String],
        words_a_row: usize,
        rows: Vec<(Vec<u32>, u64, u32)>,
        of_documents: bool,
        of_long_names: bool,
        naming: Naming,
    ) {
        let mut table = Interner::default();
        for word in words {
            table.intern(TokenClass::Spaced, word.as_bytes());
        }
        let distinct = table.len() as u32;
        let view = Words::own(table, Vec::new());
        let words_of_rows = RowWords::new(&view);
        // Names that are short except for one in many, and long names.
        let mut names = vec![b"a".to_vec(), Vec::new(), vec![b'x'; 300], vec![b'y'; NARROW - 2]];
        if of_long_names {
            names.extend([WIDE - 3, WIDE - 2, WIDE - 1, WIDE].map(|len| vec![b'z'; len]));
        } else {
            names.resize(40, b"b".to_vec());
        }
        let labels = Labels::new(b'|', &names);
        assert_eq!(matches!(labels.slots, LabelSlots::Wide(_)), of_long_names);
        // The second round reuses a buffer.
        for first in [0, rows.len() / 2] {
            let mut batch = RowBatch::new(&words_of_rows, words_a_row, naming);
            let mut expected = Vec::new();
            for (numbers, count, document) in &rows[first..] {
                let numbers: Vec<u32> = numbers.iter().map(|number| number % distinct).collect();
                let numbers = &numbers[..words_a_row];
                let count = count >> (count % 64);
                let document = of_documents.then_some(*document % names.len() as u32);
                batch.push(numbers.iter().copied(), count, document);
                let texts: Vec<String> = numbers
                    .iter()
                    .map(|&name| String::from_utf8_lossy(naming.text(&view, name)).into_owned())
                    .collect();
                expected.extend_from_slice(format!("{}|{count}", texts.join(" ")).as_bytes());
                if let Some(document) = document {
                    expected.push(b'|');
                    expected.extend_from_slice(&names[document as usize]);
                }
                expected.push(b'\n');
            }
            assert_eq!(batch.delimited(&labels)[..], expected[..]);
        }
    }

    proptest! {
        #[test]
        fn lines_are_the_rows(
            words in proptest::collection::vec("[a-z\u{4e00}]{1,25}", 1..20),
            words_a_row in 1usize..6,
            rows in proptest::collection::vec(
                (proptest::collection::vec(any::<u32>(), 5), any::<u64>(), 0u32..8), 1..600),
            of_documents in any::<bool>(),
            of_long_names in any::<bool>(),
            by_rank in any::<bool>(),
        ) {
            let naming = if by_rank { Naming::ByRank } else { Naming::ByNumber };
            check(&words, words_a_row, rows, of_documents, of_long_names, naming);
        }
    }

    #[test]
    fn counts_at_the_limits_of_slots_are_whole() {
        let counts = [0, 9, 10, 99, 100, 999, 1000, 1001, u64::MAX];
        let mut table = Interner::default();
        table.intern(TokenClass::Spaced, b"word");
        let view = Words::own(table, Vec::new());
        let words_of_rows = RowWords::new(&view);
        let labels = Labels::new(b'\t', [b"d"]);
        let mut batch = RowBatch::new(&words_of_rows, 1, Naming::ByRank);
        counts.iter().for_each(|&count| batch.push(std::iter::once(0), count, Some(0)));
        let expected: String = counts.iter().map(|count| format!("word\t{count}\td\n")).collect();
        assert_eq!(batch.delimited(&labels)[..], *expected.as_bytes());
    }
}
