//! The other words of a phrase, around the places of one of them.
//!
//! Looked for on symbols, not in the text: a rule's words are listed once, and a phrase goes on from
//! the end of one symbol to the begin of the next. Where a rule of much text or the end of a
//! right-hand side comes in between, the text has to be looked at. Much text is what takes longer to
//! list than the looks that were taken so far, or what would fill memory.

use super::inside::MOST_LISTED;
use super::search::Hit;
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::TokenClass;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// What is around a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Around {
    /// The phrase, between these offsets in the piece of the document.
    Phrase(u64, u64),
    /// Something else.
    Other,
    /// Only the text can tell.
    Unknown,
}

/// Bytes of text whose words are listed in about the time of looking around one place in the text.
const BYTES_A_LOOK: u64 = 1024;

/// Words kept at a time. One phrase may need more: its own words, and those of the symbols at its ends.
const MOST_KEPT: usize = 1 << 20;

pub(super) struct Neighbours<'a> {
    segment: &'a Segment,
    /// The words of the phrase.
    ids: &'a [u32],
    /// Which of them it is whose places are known.
    anchor: usize,
    /// Bytes of the last of them.
    last_len: u64,
    /// First token that is a word.
    first: u32,
    /// Symbols met so far.
    known: FxHashMap<Symbol, Known>,
    /// Words of symbols, and their offsets in the symbol's text.
    words: Vec<(u32, u64)>,
}

/// A symbol that was met.
#[derive(Default)]
struct Known {
    times: u64,
    /// Its words, once they are listed: a range of `words`.
    list: Option<Range<usize>>,
}

/// Between two words of the symbol at a place: `index` is the number in `words` of the second.
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

    /// What is around a place of the anchor.
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

    /// The words of the symbol at a place; `None` if they are too many to be listed yet.
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
