//! The words that an edited text gained and lost, and where the gained ones are.
//!
//! Without this, a question reads all new bytes. With it, an edit adds the words around it, and a question
//! looks up its word. It is made once questions have read so much that making it would have been cheaper.
//!
//! A word is listed by its place in the new bytes, which no later edit changes. Whether that place is
//! still in the text, and where, the spans show: each chunk of spans keeps its number, and `homes` has
//! the chunk of each span of new bytes.

use super::span::Span;
use super::spans::{Homes, Spans};
use crate::access::each_word;
use crate::token::{Interner, TokenClass};
use std::collections::BTreeMap;

/// Words of an edited text.
#[derive(Debug)]
pub(in crate::store) struct WordIndex {
    words: Interner,
    /// By word: its occurrences added minus those removed.
    changes: Vec<i64>,
    /// Whether `changes` has all removed text.
    knows_removed: bool,
    /// By word: the places in the new bytes where it occurs or did, in rising order.
    places: Vec<Vec<u32>>,
    homes: SpanHomes,
}

/// The chunk of each span of new bytes, by the start of the span.
#[derive(Debug, Default)]
pub(in crate::store) struct SpanHomes(BTreeMap<usize, u32>);

impl Homes for SpanHomes {
    fn put(&mut self, start: usize, chunk: u32) {
        self.0.insert(start, chunk);
    }

    fn remove(&mut self, start: usize) {
        self.0.remove(&start);
    }
}

impl WordIndex {
    /// The words of a text with these spans and new bytes, which has lost the text `gone`; `None` if that
    /// is unknown.
    pub(in crate::store) fn new(spans: &Spans, new: &[u8], gone: Option<&[u8]>) -> Self {
        let mut index = Self {
            words: Interner::default(),
            changes: Vec::new(),
            knows_removed: true,
            places: Vec::new(),
            homes: SpanHomes::default(),
        };
        match gone {
            Some(gone) => index.lose(gone),
            None => index.give_up_removed(),
        }
        let mut ranges = new_ranges(spans);
        ranges.sort_unstable();
        ranges.iter().for_each(|&(start, len)| index.gain(start, &new[start..start + len]));
        spans.tell_homes(&mut index.homes);
        index
    }

    /// Lists all places again, after the new bytes have moved.
    pub(in crate::store) fn list_again(&mut self, spans: &Spans, new: &[u8]) {
        self.places.iter_mut().for_each(Vec::clear);
        let mut ranges = new_ranges(spans);
        ranges.sort_unstable();
        for (start, len) in ranges {
            each_word(&new[start..start + len], true, |at, word| {
                let number = self.words.intern(TokenClass::Spaced, word) as usize;
                self.places[number].push((start + at) as u32);
            });
        }
        self.homes = SpanHomes::default();
        spans.tell_homes(&mut self.homes);
    }

    pub(in crate::store) fn homes(&mut self) -> &mut SpanHomes {
        &mut self.homes
    }

    /// Adds the words of new bytes, which begin at `start` among all new bytes.
    pub(in crate::store) fn gain(&mut self, start: usize, bytes: &[u8]) {
        each_word(bytes, true, |at, word| {
            let number = self.number(word);
            self.changes[number] += 1;
            self.places[number].push((start + at) as u32);
        });
    }

    /// Subtracts the words of a removed text, compressed or new.
    pub(in crate::store) fn lose(&mut self, text: &[u8]) {
        each_word(text, true, |_, word| {
            let number = self.number(word);
            self.changes[number] -= 1;
        });
    }

    /// Text was removed whose words are not known.
    pub(in crate::store) fn give_up_removed(&mut self) {
        self.knows_removed = false;
    }

    /// Discards the places of the last new bytes, which begin at `start`: others will come there.
    pub(in crate::store) fn forget_last(&mut self, start: usize, bytes: &[u8]) {
        each_word(bytes, true, |_, word| {
            if let Some(number) = self.words.find(word) {
                let places = &mut self.places[number as usize];
                while places.last().is_some_and(|&place| place as usize >= start) {
                    places.pop();
                }
            }
        });
    }

    fn number(&mut self, word: &[u8]) -> usize {
        let number = self.words.intern(TokenClass::Spaced, word) as usize;
        if number == self.changes.len() {
            self.changes.push(0);
            self.places.push(Vec::new());
        }
        number
    }

    /// By how much the edits change the count of a word, if that is known.
    pub(in crate::store) fn change(&self, word: &[u8]) -> Option<i64> {
        let number = self.words.find(word);
        self.knows_removed.then(|| number.map_or(0, |number| self.changes[number as usize]))
    }

    /// The places in the new bytes where a word occurs or did.
    pub(in crate::store) fn places(&self, word: &[u8]) -> &[u32] {
        self.words.find(word).map_or(&[], |number| &self.places[number as usize])
    }

    /// The offset in the text of a place in the new bytes; `None` if it is not in the text any more.
    pub(in crate::store) fn offset_of(&self, spans: &Spans, place: u32) -> Option<u64> {
        let place = place as usize;
        let (&start, &chunk) = self.homes.0.range(..=place).next_back()?;
        spans.offset_of(chunk, start, place)
    }
}

/// The starts and lengths of all spans of new bytes.
fn new_ranges(spans: &Spans) -> Vec<(usize, usize)> {
    let range = |span| match span {
        Span::New { start, len } => Some((start, len)),
        Span::Base { .. } => None,
    };
    spans.iter().filter_map(range).collect()
}
