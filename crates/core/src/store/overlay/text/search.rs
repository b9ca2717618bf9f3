//! Counting and finding words and phrases in an edited text.

use super::safe::{MOST_LOCAL, is_word_at};
use crate::access::{Access, Match, Phrase, PhraseCount, TextSource, each_word, match_around};
use crate::error::AccessError;
use crate::store::overlay::text::{EditedText, Span};
use memchr::memmem;
use std::ops::ControlFlow;

/// Symbols of a grammar that are read in the time of one check around an occurrence.
const SYMBOLS_A_LOOK: u64 = 256;

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
        let Some(gone) = &self.gone else { return self.count_one_by_one(access, phrase) };
        let in_base = self.base.map_or(Ok(0), |base| access.count(base, phrase))?;
        let finder = memmem::Finder::new(word);
        let in_new: u64 = match finder.find(&self.new) {
            Some(_) => self.spans().map(|span| self.count_in_new(span, &finder)).sum(),
            None => 0,
        };
        Ok((in_base + in_new).saturating_sub(count_in(gone, &finder)))
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
        let has_new = finder.find(&self.new).is_some();
        let mut cursor =
            Cursor { text: self, finder: &finder, has_new, chunk: 0, span: 0, start: 0 };
        let mut emit = |offset: u64| match offset < from {
            true => ControlFlow::Continue(()),
            false => emit(offset),
        };
        let base_from = cursor.skip_to(from);
        if let Some(base) = self.base {
            let flow = access.search_each(base, phrase, base_from, |found| {
                match cursor.pass_to(Some(found.offset), &mut emit) {
                    ControlFlow::Continue(Some(offset)) => emit(offset),
                    ControlFlow::Continue(None) => ControlFlow::Continue(()),
                    ControlFlow::Break(()) => ControlFlow::Break(()),
                }
            })?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(match cursor.pass_to(None, &mut emit) {
            ControlFlow::Break(()) => ControlFlow::Break(()),
            ControlFlow::Continue(_) => ControlFlow::Continue(()),
        })
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

/// Moves over the spans of a text, from left to right.
struct Cursor<'a> {
    text: &'a EditedText,
    finder: &'a memmem::Finder<'a>,
    /// Whether the word's bytes are anywhere in the new bytes.
    has_new: bool,
    chunk: usize,
    /// The next span of the chunk, and where it begins in the text.
    span: usize,
    start: u64,
}

impl Cursor<'_> {
    /// Skips spans that end at or before an offset. Returns the offset in the compressed document at which
    /// the rest begins.
    fn skip_to(&mut self, offset: u64) -> u64 {
        let chunks = self.text.spans.chunks();
        while let Some(chunk) = chunks.get(self.chunk)
            && self.start + chunk.len <= offset
        {
            self.start += chunk.len;
            self.chunk += 1;
        }
        if let Some(chunk) = chunks.get(self.chunk) {
            while self.start + chunk.spans[self.span].len() <= offset {
                self.start += chunk.spans[self.span].len();
                self.span += 1;
            }
        }
        let mut start = self.start;
        let spans = chunks.iter().skip(self.chunk).flat_map(|chunk| &chunk.spans).skip(self.span);
        let base = |span: &Span| {
            let skipped = offset.saturating_sub(start);
            start += span.len();
            match *span {
                Span::Base { start, .. } => Some(start + skipped),
                Span::New { .. } => None,
            }
        };
        spans.into_iter().find_map(base).unwrap_or(u64::MAX)
    }

    /// Moves to the span that contains an offset of the compressed document, or to the end. Calls `emit`
    /// with each offset of the word in the new bytes on the way. Returns the offset in this text; `None`
    /// if it was removed.
    fn pass_to(
        &mut self,
        base: Option<u64>,
        emit: &mut impl FnMut(u64) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<u64>> {
        let chunks = self.text.spans.chunks();
        while let Some(chunk) = chunks.get(self.chunk) {
            // A chunk of new bytes alone has no range of the compressed document.
            let has_base = chunk.base.0 < chunk.base.1 && base.is_some_and(|to| to < chunk.base.1);
            if self.span == 0 && !has_base && !(self.has_new && chunk.has_new) {
                self.start += chunk.len;
                self.chunk += 1;
                continue;
            }
            let Some(&span) = chunk.spans.get(self.span) else {
                self.chunk += 1;
                self.span = 0;
                continue;
            };
            match (span, base) {
                (Span::Base { start, .. }, Some(to)) if to < start => {
                    return ControlFlow::Continue(None);
                }
                (Span::Base { start, len }, Some(to)) if to - start < len => {
                    return ControlFlow::Continue(Some(self.start + to - start));
                }
                (Span::New { start, len }, _) if self.has_new => {
                    let (bytes, before) = (self.text.new_bytes(start, len), self.start);
                    each_in(bytes, self.finder, |at| emit(before + at as u64))?;
                }
                _ => {}
            }
            self.start += span.len();
            self.span += 1;
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
