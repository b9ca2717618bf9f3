//! Counting, finding and reading lines in an edited text.

use super::safe::{MOST_LOCAL, is_word_at};
use super::{EditedText, Span};
use crate::access::{Access, Match, Phrase, TextSource, match_around, words_of};
use crate::error::Error;
use memchr::{memchr_iter, memmem};

impl EditedText {
    /// How often a phrase stands here.
    pub(in super::super) fn count(&self, access: &Access, phrase: &Phrase) -> Result<u64, Error> {
        let (Some(word), Some(gone)) = (phrase.single(), &self.gone) else {
            return Ok(self.search(access, phrase)?.len() as u64);
        };
        let in_base = self.base.map_or(Ok(0), |base| access.count(base, phrase))?;
        let finder = memmem::Finder::new(word);
        let in_new: usize = match finder.find(&self.new) {
            Some(_) => self.spans().map(|span| self.in_new(span, &finder).len()).sum(),
            None => 0,
        };
        let in_gone = places_in(gone, &finder).len();
        Ok((in_base + in_new as u64).saturating_sub(in_gone as u64))
    }

    /// Where a phrase stands.
    pub(in super::super) fn search(
        &self,
        access: &Access,
        phrase: &Phrase,
    ) -> Result<Vec<Match>, Error> {
        if let Some(word) = phrase.single() {
            let len = word.len();
            let offsets = self.places(access, phrase, word)?;
            return Ok(offsets.into_iter().map(|offset| Match { offset, len }).collect());
        }
        let mut rarest: Option<(u64, usize, Phrase)> = None;
        for (place, word) in phrase.words().enumerate() {
            let word = Phrase::new(word)?;
            let count = self.count(access, &word)?;
            if rarest.as_ref().is_none_or(|(least, ..)| count < *least) {
                rarest = Some((count, place, word));
            }
        }
        let (_, place, word) = rarest.expect("a phrase has words");
        let source = Source { text: self, access };
        let mut matches = Vec::new();
        for offset in self.places(access, &word, word.single().expect("it is one"))? {
            matches.extend(match_around(&source, phrase, place, offset)?);
        }
        Ok(matches)
    }

    /// Where a word stands, in order.
    fn places(&self, access: &Access, phrase: &Phrase, word: &[u8]) -> Result<Vec<u64>, Error> {
        let in_base = self.base.map_or(Ok(Vec::new()), |base| access.search(base, phrase))?;
        let finder = memmem::Finder::new(word);
        let may_be_new = finder.find(&self.new).is_some();
        let mut places = Vec::new();
        let mut start = 0;
        let mut next = 0;
        for chunk in self.spans.chunks() {
            // A chunk of new bytes alone has no range, and stands after no word of the compressed text.
            let has_range = chunk.base.0 < chunk.base.1;
            while has_range && in_base.get(next).is_some_and(|found| found.offset < chunk.base.0) {
                next += 1;
            }
            let has_base = in_base.get(next).is_some_and(|found| found.offset < chunk.base.1);
            let may_be_new = may_be_new && chunk.has_new;
            if !has_base && !may_be_new {
                start += chunk.len;
                continue;
            }
            for &span in &chunk.spans {
                if let Span::Base { start: from, len } = span {
                    while in_base.get(next).is_some_and(|found| found.offset < from) {
                        next += 1;
                    }
                    while let Some(found) = in_base.get(next)
                        && found.offset < from + len
                    {
                        places.push(start + found.offset - from);
                        next += 1;
                    }
                }
                if may_be_new {
                    let here = self.in_new(span, &finder).into_iter();
                    places.extend(here.map(|at| start + at as u64));
                }
                start += span.len();
            }
        }
        Ok(places)
    }

    /// Where a word stands in a span, if that is of new bytes.
    fn in_new(&self, span: Span, finder: &memmem::Finder<'_>) -> Vec<usize> {
        match span {
            Span::New { start, len } => places_in(self.new_bytes(start, len), finder),
            Span::Base { .. } => Vec::new(),
        }
    }

    /// The lines `from` to `to`, counted from 1.
    pub(in super::super) fn lines(
        &self,
        access: &Access,
        name: &[u8],
        from: u64,
        to: u64,
    ) -> Result<Vec<u8>, Error> {
        if from > to || to == 0 {
            return Ok(Vec::new());
        }
        let start = self.line_start(access, from.max(1) - 1)?;
        let end = self.line_start(access, to)?;
        self.extract(access, name, start, usize::try_from(end - start).unwrap_or(usize::MAX))
    }

    /// Where the line begins before which `lines` line ends stand; the size if there are fewer.
    fn line_start(&self, access: &Access, mut lines: u64) -> Result<u64, Error> {
        if lines == 0 {
            return Ok(0);
        }
        let mut offset = 0;
        for span in self.spans() {
            match (span, self.base) {
                (Span::Base { start, len }, Some(base)) => {
                    let before = access.line_ends_before(base, start)?;
                    let here = access.line_ends_before(base, start + len)? - before;
                    if lines <= here {
                        return Ok(offset + access.line_start(base, before + lines)? - start);
                    }
                    lines -= here;
                }
                (Span::New { start, len }, _) => {
                    let bytes = self.new_bytes(start, len);
                    match memchr_iter(b'\n', bytes).nth(lines as usize - 1) {
                        Some(end) => return Ok(offset + end as u64 + 1),
                        None => lines -= memchr_iter(b'\n', bytes).count() as u64,
                    }
                }
                (Span::Base { .. }, None) => {}
            }
            offset += span.len();
        }
        Ok(self.size())
    }
}

/// Where a word stands in a text that begins and ends at safe places, or with the document.
fn places_in(text: &[u8], finder: &memmem::Finder<'_>) -> Vec<usize> {
    let word = finder.needle();
    if text.len() > MOST_LOCAL {
        let words = words_of(text, true).into_iter();
        return words.filter(|(_, found)| *found == word).map(|(at, _)| at).collect();
    }
    // Where the word's bytes overlap themselves, no word begins.
    finder.find_iter(text).filter(|&at| is_word_at(text, at, word)).collect()
}

/// An edited document's text, for looking around a place in it.
struct Source<'a> {
    text: &'a EditedText,
    access: &'a Access,
}

impl TextSource for Source<'_> {
    fn size(&self) -> Result<u64, Error> {
        Ok(self.text.size())
    }

    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.text.read(self.access, offset, len, out)
    }
}
