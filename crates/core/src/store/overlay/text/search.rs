//! Counting and finding words and phrases in an edited text.

use super::safe::{MOST_LOCAL, is_word_at};
use crate::access::{Access, Match, Phrase, PhraseCount, TextSource, each_word, match_around};
use crate::error::AccessError;
use crate::store::overlay::text::cursor::Cursor;
use crate::store::overlay::text::span::Cover;
use crate::store::overlay::text::{EditedText, Span};
use memchr::memmem;
use std::ops::ControlFlow;

/// Symbols of a grammar that are read in the time of one check around an occurrence.
const SYMBOLS_A_LOOK: u64 = 256;

/// Occurrences of a word in new bytes that are looked up one by one: this many, and one for so many new
/// bytes. Above, reading all new bytes is cheaper.
const MOST_LISTED: usize = 64;
const BYTES_A_PLACE: usize = 512;

impl EditedText {
    /// How often a phrase occurs here.
    pub(in crate::store) fn count(
        &self,
        access: &Access,
        phrase: &Phrase,
    ) -> Result<u64, AccessError> {
        if let Some(word) = phrase.single() {
            return self.count_word(access, phrase, word);
        }
        let rarest = self.rarest(access, phrase)?;
        let symbols = self.base.map_or(Ok(0), |base| access.grammar_symbols(base))?;
        if rarest.count.saturating_mul(SYMBOLS_A_LOOK) <= symbols.saturating_add(1 << 16) {
            return self.count_one_by_one(access, phrase);
        }
        let mut counting = PhraseCount::new(access, phrase)?;
        for span in self.spans() {
            match (span, self.base) {
                (Span::Base { start, len }, Some(base)) => {
                    counting.read_stretch(base, start, start + len)?;
                }
                (Span::New { start, len }, _) => counting.read_bytes(self.new_bytes(start, len)),
                (Span::Base { .. }, None) => {}
            }
        }
        Ok(counting.count())
    }

    fn count_word(
        &self,
        access: &Access,
        phrase: &Phrase,
        word: &[u8],
    ) -> Result<u64, AccessError> {
        let Some(change) = self.change(word) else { return self.count_one_by_one(access, phrase) };
        let in_base = self.base.map_or(Ok(0), |base| access.count(base, phrase))?;
        Ok(in_base.saturating_add_signed(change))
    }

    /// By how much the edits change the count of a word, if that is known.
    pub(in crate::store) fn change(&self, word: &[u8]) -> Option<i64> {
        if let Some(index) = self.word_index() {
            return index.change(word);
        }
        let gone = self.gone.as_ref()?;
        let finder = memmem::Finder::new(word);
        let in_new: u64 = match finder.find(&self.new) {
            Some(_) => self.spans().map(|span| self.count_in_new(span, &finder)).sum(),
            None => 0,
        };
        Some(in_new as i64 - count_in(gone, &finder) as i64)
    }

    fn count_one_by_one(&self, access: &Access, phrase: &Phrase) -> Result<u64, AccessError> {
        let mut count = 0;
        let _ = self.search_each(access, phrase, 0, |_| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// Calls `found` with each match of a phrase from the offset `from` on, in order, until it breaks.
    pub(in crate::store) fn search_each(
        &self,
        access: &Access,
        phrase: &Phrase,
        from: u64,
        mut found: impl FnMut(Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        if let Some(word) = phrase.single() {
            let len = word.len();
            return self
                .each_place(access, phrase, word, from, |offset| found(Match { offset, len }));
        }
        let Rarest { place, word, .. } = self.rarest(access, phrase)?;
        let source = Source { text: self, access };
        let mut failed = None;
        let bytes = word.single().expect("it is one word");
        let flow = self.each_place(access, &word, bytes, from, |offset| {
            match match_around(&source, phrase, place, offset) {
                Ok(Some(one)) if one.offset >= from => found(one),
                Ok(_) => ControlFlow::Continue(()),
                Err(error) => {
                    failed = Some(error);
                    ControlFlow::Break(())
                }
            }
        })?;
        failed.map_or(Ok(flow), Err)
    }

    /// The word of a phrase that occurs least often here.
    fn rarest(&self, access: &Access, phrase: &Phrase) -> Result<Rarest, AccessError> {
        let mut rarest: Option<Rarest> = None;
        for (place, word) in phrase.words().enumerate() {
            let word = Phrase::new(word)?;
            let count = self.count(access, &word)?;
            if rarest.as_ref().is_none_or(|rarest| count < rarest.count) {
                rarest = Some(Rarest { count, place, word });
            }
        }
        Ok(rarest.expect("a phrase has words"))
    }

    /// Calls `emit` with each offset of a word from `from` on, in order, until it breaks.
    fn each_place(
        &self,
        access: &Access,
        phrase: &Phrase,
        word: &[u8],
        from: u64,
        mut emit: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        let finder = memmem::Finder::new(word);
        let mut emit = |offset: u64| match offset < from {
            true => ControlFlow::Continue(()),
            false => emit(offset),
        };
        let listed = self.listed(word, from);
        let mut listed = listed.as_deref();
        let has_new = listed.is_none() && finder.find(&self.new).is_some();
        let mut walk = Walk {
            text: self,
            cursor: Cursor::at(&self.spans, from),
            finder: has_new.then_some(&finder),
        };
        if let Some(base) = self.base {
            let base_from = walk.cursor.base_from(from);
            let flow = access.search_each(base, phrase, base_from, |found| {
                match walk.pass_to(Some(found.offset), &mut emit) {
                    ControlFlow::Continue(Some(offset)) => {
                        emit_before(&mut listed, offset, &mut emit)?;
                        emit(offset)
                    }
                    ControlFlow::Continue(None) => ControlFlow::Continue(()),
                    ControlFlow::Break(()) => ControlFlow::Break(()),
                }
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        if emit_before(&mut listed, u64::MAX, &mut emit).is_break() {
            return Ok(ControlFlow::Break(()));
        }
        Ok(match walk.pass_to(None, &mut emit) {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(_) => ControlFlow::Continue(()),
        })
    }

    /// The offsets of a word in new bytes from an offset on, in order, if looking them up is cheaper than
    /// reading all new bytes.
    fn listed(&self, word: &[u8], from: u64) -> Option<Vec<u64>> {
        let index = self.word_index()?;
        let places = index.places(word);
        if places.len() > MOST_LISTED + self.spans.new_bytes() / BYTES_A_PLACE {
            return None;
        }
        let offsets = places.iter().filter_map(|&place| index.offset_of(&self.spans, place));
        let mut offsets: Vec<u64> = offsets.filter(|&offset| offset >= from).collect();
        offsets.sort_unstable();
        Some(offsets)
    }

    /// How often a word occurs in a span of new bytes; 0 for other spans.
    fn count_in_new(&self, span: Span, finder: &memmem::Finder<'_>) -> u64 {
        match span {
            Span::New { start, len } => count_in(self.new_bytes(start, len), finder),
            Span::Base { .. } => 0,
        }
    }
}

/// The word of a phrase that occurs least often in a text.
struct Rarest {
    count: u64,
    /// Its index in the phrase.
    place: usize,
    word: Phrase,
}

/// Calls `emit` with the first of some offsets, those before `end`, and removes them.
fn emit_before(
    offsets: &mut Option<&[u64]>,
    end: u64,
    emit: &mut impl FnMut(u64) -> ControlFlow<()>,
) -> ControlFlow<()> {
    while let Some((&offset, rest)) = offsets.and_then(<[u64]>::split_first)
        && offset < end
    {
        *offsets = Some(rest);
        emit(offset)?;
    }
    ControlFlow::Continue(())
}

/// Moves over the spans of a text, from left to right.
struct Walk<'a> {
    text: &'a EditedText,
    cursor: Cursor<'a>,
    /// Finds the word in new bytes; `None` if it is not to be found there.
    finder: Option<&'a memmem::Finder<'a>>,
}

impl Walk<'_> {
    /// Moves to the span that contains an offset of the compressed document, or to the end. Calls `emit`
    /// with each offset of the word in the new bytes on the way. Returns the offset in this text; `None`
    /// if it was removed.
    fn pass_to(
        &mut self,
        base: Option<u64>,
        emit: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<u64>> {
        let is_wanted = |cover: &Cover| cover.has(self.finder.is_some(), base);
        while let Some((span, offset)) = self.cursor.next(is_wanted) {
            match (span, base) {
                (Span::Base { start, .. }, Some(to)) if to < start => {
                    self.cursor.back(span);
                    return ControlFlow::Continue(None);
                }
                (Span::Base { start, len }, Some(to)) if to - start < len => {
                    self.cursor.back(span);
                    return ControlFlow::Continue(Some(offset + to - start));
                }
                (Span::New { start, len }, _) => {
                    if let Some(finder) = self.finder {
                        let bytes = self.text.new_bytes(start, len);
                        each_in(bytes, finder, |at| emit(offset + at as u64))?;
                    }
                }
                _ => {}
            }
        }
        ControlFlow::Continue(None)
    }
}

/// How often a word occurs in a text that begins and ends at safe places, or with the document.
fn count_in(text: &[u8], finder: &memmem::Finder<'_>) -> u64 {
    let mut count = 0;
    let _ = each_in(text, finder, |_| {
        count += 1;
        ControlFlow::Continue(())
    });
    count
}

/// Calls `found` with each offset of a word in such a text, until it breaks.
fn each_in(
    text: &[u8],
    finder: &memmem::Finder<'_>,
    mut found: impl FnMut(usize) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let word = finder.needle();
    if text.len() > MOST_LOCAL {
        let mut flow = ControlFlow::Continue(());
        each_word(text, true, |at, bytes| {
            if flow.is_continue() && bytes == word {
                flow = found(at);
            }
        });
        return flow;
    }
    // Where the word's bytes overlap themselves, no word begins.
    finder.find_iter(text).filter(|&at| is_word_at(text, at, word)).try_for_each(found)
}

/// An edited document's text, for reading around an occurrence.
struct Source<'a> {
    text: &'a EditedText,
    access: &'a Access,
}

impl TextSource for Source<'_> {
    fn size(&self) -> Result<u64, AccessError> {
        Ok(self.text.size())
    }

    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), AccessError> {
        self.text.read(self.access, offset, len, out)
    }
}
