//! Checks for the other words of a phrase around an occurrence of one of its words.
//!
//! The check reads symbols, not text: the words of a rule are listed once, and a phrase continues from
//! the end of one symbol to the start of the next. The text is read only where a large rule or the end
//! of a right-hand side is in the way. A rule is large when listing its words takes longer than all
//! checks that met it so far, or when the list would need much memory.

use super::inside::MOST_LISTED;
use super::search::Hit;
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::TokenClass;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The result of a check around an occurrence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// The phrase matches between these offsets in the piece of the document.
    Phrase(u64, u64),
    /// The phrase does not match.
    Other,
    /// The text has to be read.
    Unknown,
}

/// Bytes of text whose words are listed in about the time of one check in the text.
const BYTES_A_LOOK: u64 = 1024;

/// Words kept at a time. One check may add more: the words of the phrase and of the symbols at its ends.
const MOST_KEPT: usize = 1 << 20;

pub(super) struct Neighbours<'a> {
    segment: &'a Segment,
    /// The words of the phrase, as tokens.
    ids: &'a [u32],
    /// The position in the phrase of the word whose occurrences are known.
    anchor: usize,
    /// Length of the last word in bytes.
    last_len: u64,
    /// The first token that is a word.
    first: u32,
    /// Symbols met so far.
    known: FxHashMap<Symbol, Known>,
    /// Words of symbols, with their offsets in the symbol's text.
    words: Vec<(u32, u64)>,
}

/// What is known about a symbol.
#[derive(Default)]
struct Known {
    times: u64,
    /// Its words as a range of `words`, once they are listed.
    list: Option<Range<usize>>,
}

/// A position between two words of the symbol at `at`; `index` is the second one's index in `words`.
#[derive(Clone)]
struct Cursor {
    at: usize,
    list: Range<usize>,
    index: usize,
}

impl<'a> Neighbours<'a> {
    pub(super) fn new(segment: &'a Segment, ids: &'a [u32], anchor: usize) -> Self {
        let dictionary = segment.dictionary();
        Self {
            segment,
            ids,
            anchor,
            last_len: dictionary.bytes(ids[ids.len() - 1]).len() as u64,
            first: dictionary.ids(TokenClass::Separator).end,
            known: FxHashMap::default(),
            words: Vec::new(),
        }
    }

    /// Checks around an occurrence of the anchor.
    pub(super) fn around(&mut self, hit: &Hit) -> Around {
        if self.words.len() > MOST_KEPT {
            self.words.clear();
            self.known.values_mut().for_each(|known| known.list = None);
        }
        let Some(list) = self.words_at(hit.at) else { return Around::Unknown };
        let before = self.words[list.clone()].partition_point(|&(_, offset)| offset < hit.within);
        let index = list.start + before;
        let mut first = Cursor { at: hit.at, index, list };
        let mut last = Cursor { index: index + 1, ..first.clone() };
        for &id in &self.ids[self.anchor + 1..] {
            while last.index == last.list.end {
                let at = last.at + 1;
                let Some(list) = self.words_in(at, &hit.section) else { return Around::Unknown };
                last = Cursor { at, index: list.start, list };
            }
            last.index += 1;
            if self.words[last.index - 1].0 != id {
                return Around::Other;
            }
        }
        for &id in self.ids[..self.anchor].iter().rev() {
            while first.index == first.list.start {
                let at = first.at.wrapping_sub(1);
                let Some(list) = self.words_in(at, &hit.section) else { return Around::Unknown };
                first = Cursor { at, index: list.end, list };
            }
            first.index -= 1;
            if self.words[first.index].0 != id {
                return Around::Other;
            }
        }
        let segment = self.segment;
        let to_first = segment.distance(first.at..hit.at).wrapping_add(hit.within);
        let to_last = segment.distance(hit.at..last.at).wrapping_sub(hit.within);
        let begin = hit.offset.wrapping_sub(to_first).wrapping_add(self.words[first.index].1);
        let last_word = hit.offset.wrapping_add(to_last).wrapping_add(self.words[last.index - 1].1);
        Around::Phrase(begin, last_word.wrapping_add(self.last_len))
    }

    fn words_in(&mut self, at: usize, section: &Range<usize>) -> Option<Range<usize>> {
        if section.contains(&at) { self.words_at(at) } else { None }
    }

    /// The words of the symbol at a place; `None` if listing them is not worth it yet.
    fn words_at(&mut self, at: usize) -> Option<Range<usize>> {
        let segment = self.segment;
        let symbols = &segment.grammar.symbols()[at..=at];
        let known = self.known.entry(symbols[0]).or_default();
        if known.list.is_none() {
            known.times += 1;
            if segment.len_of(symbols[0]) > (known.times * BYTES_A_LOOK).min(MOST_LISTED) {
                return None;
            }
            let (start, first, words) = (self.words.len(), self.first, &mut self.words);
            let mut put = |token: u32, offset: u64| {
                if token >= first {
                    words.push((token, offset));
                }
            };
            segment.walk(symbols, |_| true, &mut put);
            known.list = Some(start..self.words.len());
        }
        known.list.clone()
    }
}
