//! The text of one edited document: stretches of the compressed text and new bytes between them.
//!
//! This is the paper's `records` (random-access section IV-B), kept so that every answer stays as
//! cheap as it was. The document is a list of *spans*: a range of its compressed text, or bytes of
//! its own. An edit takes the text around it along, as far as the next *safe* places, into a span of
//! its own. A place is safe when the character before it is whole and joins no word with what
//! follows, whatever that is; so no word ever crosses the border of two spans, and:
//!
//! * a word's count is the compressed document's count and a difference that each edit adjusts;
//! * a word's places are those in the compressed document, moved with their spans, and those in the
//!   new bytes.
//!
//! Spans are kept in chunks of bounded length, so that an edit moves few of them however many there
//! are.

use crate::access::{Access, Match, Phrase, TextSource, match_around, words_of};
use crate::error::Error;
use crate::token::{Interner, Splitter, TokenClass};
use memchr::memmem;
use rustc_hash::FxHashMap;

/// New bytes are cut into spans of about this length, at safe places.
const SPAN: usize = 4096;

/// Spans of a chunk.
const CHUNK: usize = 64;

/// Bytes looked at, at a time, for a safe place.
const WINDOW: u64 = 64;

#[derive(Clone, Debug)]
enum Span {
    /// A range of the compressed document.
    Base { start: u64, len: u64 },
    /// Bytes that are not in it.
    New(Vec<u8>),
}

impl Span {
    fn len(&self) -> u64 {
        match self {
            Self::Base { len, .. } => *len,
            Self::New(bytes) => bytes.len() as u64,
        }
    }

    /// Cuts off and returns what is after the first `at` bytes.
    fn split_off(&mut self, at: u64) -> Self {
        match self {
            Self::Base { start, len } => {
                let rest = Self::Base { start: *start + at, len: *len - at };
                *len = at;
                rest
            }
            Self::New(bytes) => Self::New(bytes.split_off(at as usize)),
        }
    }
}

#[derive(Clone, Debug, Default)]
struct Chunk {
    spans: Vec<Span>,
    len: u64,
    /// The range of the compressed document from which its spans come.
    base: (u64, u64),
    /// How often each word stands in new bytes here.
    words: FxHashMap<u32, u32>,
}

impl Chunk {
    fn measure(&mut self) {
        self.len = self.spans.iter().map(Span::len).sum();
        self.base = (u64::MAX, 0);
        for span in &self.spans {
            if let Span::Base { start, len } = span {
                self.base = (self.base.0.min(*start), self.base.1.max(start + len));
            }
        }
    }

    fn count_words(&mut self, words: &mut Interner) {
        self.words.clear();
        for span in &self.spans {
            if let Span::New(bytes) = span {
                for (_, word) in words_of(bytes, true) {
                    *self.words.entry(words.intern(TokenClass::Spaced, word)).or_default() += 1;
                }
            }
        }
    }
}

/// An edited document.
#[derive(Debug)]
pub(super) struct EditedText {
    /// The compressed document, unless this one is new.
    base: Option<usize>,
    chunks: Vec<Chunk>,
    size: u64,
    words: Interner,
    /// Of each word, how much oftener it stands here than in the compressed document.
    differences: FxHashMap<u32, i64>,
}

impl EditedText {
    /// A compressed document, not edited yet.
    pub(super) fn of_base(document: usize, size: u64) -> Self {
        let mut text = Self::empty(Some(document));
        if size > 0 {
            let mut chunk =
                Chunk { spans: vec![Span::Base { start: 0, len: size }], ..Chunk::default() };
            chunk.measure();
            text.chunks.push(chunk);
            text.size = size;
        }
        text
    }

    /// A new document.
    pub(super) fn new() -> Self {
        Self::empty(None)
    }

    fn empty(base: Option<usize>) -> Self {
        Self {
            base,
            chunks: Vec::new(),
            size: 0,
            words: Interner::default(),
            differences: FxHashMap::default(),
        }
    }

    pub(super) fn size(&self) -> u64 {
        self.size
    }

    /// Puts `inserted` in place of `removed` bytes at `at`; both within the document.
    pub(super) fn splice(
        &mut self,
        access: &Access,
        at: u64,
        removed: u64,
        inserted: &[u8],
    ) -> Result<(), Error> {
        if removed == 0 && inserted.is_empty() {
            return Ok(());
        }
        let (start, old) = self.surroundings(access, at, removed)?;
        let end = start + old.len() as u64;
        let (before, after) = ((at - start) as usize, (at + removed - start) as usize);
        let new = [&old[..before], inserted, &old[after..]].concat();
        for (text, change) in [(&old, -1), (&new, 1)] {
            for (_, word) in words_of(text, true) {
                let id = self.words.intern(TokenClass::Spaced, word);
                *self.differences.entry(id).or_default() += change;
            }
        }
        self.replace_spans(start, end, new);
        self.size = self.size - removed + inserted.len() as u64;
        Ok(())
    }

    /// The text from the last safe place before a range to the first after it, and where that begins.
    fn surroundings(
        &self,
        access: &Access,
        at: u64,
        removed: u64,
    ) -> Result<(u64, Vec<u8>), Error> {
        // Mostly both are near, and one look finds them.
        let from = at.saturating_sub(WINDOW);
        let to = (at + removed + WINDOW).min(self.size);
        let mut text = Vec::new();
        self.read(access, from, (to - from) as usize, &mut text)?;
        let (before, after) = ((at - from) as usize, (at + removed - from) as usize);
        let start = match (4.min(before)..=before).rev().find(|&end| is_safe_after(&text[..end])) {
            Some(start) => from + start as u64,
            None => self.safe_before(access, at)?,
        };
        let end = match (after + 1..=text.len()).find(|&end| is_safe_after(&text[after..end])) {
            Some(end) => from + end as u64,
            None => self.safe_after(access, at + removed)?,
        };
        if start >= from && end <= to {
            text.truncate((end - from) as usize);
            return Ok((start, text.split_off((start - from) as usize)));
        }
        text.clear();
        self.read(access, start, (end - start) as usize, &mut text)?;
        Ok((start, text))
    }

    /// The last safe place that is not after `at`.
    fn safe_before(&self, access: &Access, at: u64) -> Result<u64, Error> {
        let mut end = at;
        let mut window = WINDOW;
        let mut bytes = Vec::new();
        while end > 0 {
            // A few bytes more, since a character may have begun before the window.
            let start = end.saturating_sub(window);
            let from = start.saturating_sub(3);
            bytes.clear();
            self.read(access, from, (end - from) as usize, &mut bytes)?;
            for place in (start + 1..=end).rev() {
                if is_safe_after(&bytes[..(place - from) as usize]) {
                    return Ok(place);
                }
            }
            end = start;
            window = (window * 2).min(1 << 16);
        }
        Ok(0)
    }

    /// The first safe place after `at` whose safety does not depend on anything before `at`.
    fn safe_after(&self, access: &Access, at: u64) -> Result<u64, Error> {
        let mut start = at;
        let mut window = WINDOW;
        let mut bytes = Vec::new();
        while start < self.size {
            let from = start.saturating_sub(3).max(at);
            let end = (start + window).min(self.size);
            bytes.clear();
            self.read(access, from, (end - from) as usize, &mut bytes)?;
            for place in start + 1..=end {
                if is_safe_after(&bytes[..(place - from) as usize]) {
                    return Ok(place);
                }
            }
            start = end;
            window = (window * 2).min(1 << 16);
        }
        Ok(self.size)
    }

    /// Puts new bytes in place of the spans between two safe places.
    fn replace_spans(&mut self, start: u64, end: u64, new: Vec<u8>) {
        let (first, mut offset) = self.chunk_at(start);
        if first == self.chunks.len() {
            self.chunks.push(Chunk::default());
        }
        // All chunks that the range reaches into become one, which is divided again below.
        let mut last = first;
        let mut reached = offset + self.chunks[first].len;
        while reached < end {
            last += 1;
            reached += self.chunks[last].len;
        }
        if last > first {
            let joined: Vec<Span> =
                self.chunks.drain(first + 1..=last).flat_map(|chunk| chunk.spans).collect();
            self.chunks[first].spans.extend(joined);
            self.chunks[first].count_words(&mut self.words);
        }
        let chunk = &mut self.chunks[first];
        let mut from = 0;
        while from < chunk.spans.len() && offset + chunk.spans[from].len() <= start {
            offset += chunk.spans[from].len();
            from += 1;
        }
        if offset < start {
            let rest = chunk.spans[from].split_off(start - offset);
            from += 1;
            chunk.spans.insert(from, rest);
        }
        let (mut to, mut offset) = (from, start);
        while offset < end {
            let len = chunk.spans[to].len();
            if offset + len > end {
                let rest = chunk.spans[to].split_off(end - offset);
                chunk.spans.insert(to + 1, rest);
            }
            offset += chunk.spans[to].len();
            to += 1;
        }
        for span in &chunk.spans[from..to] {
            if let Span::New(bytes) = span {
                change_words(&mut chunk.words, &mut self.words, bytes, |count| *count -= 1);
            }
        }
        change_words(&mut chunk.words, &mut self.words, &new, |count| *count += 1);
        // Many small edits in a row, such as appends, become one span.
        let mut spans = cut(new);
        if let [Span::New(only)] = &mut spans[..]
            && let Some(Span::New(before)) = from.checked_sub(1).map(|at| &mut chunk.spans[at])
            && before.len() + only.len() <= SPAN
        {
            before.append(only);
            spans.clear();
        }
        chunk.spans.splice(from..to, spans);
        chunk.measure();
        self.divide(first);
    }

    /// Divides a chunk that has become too long, and drops an empty one.
    fn divide(&mut self, at: usize) {
        if self.chunks[at].spans.is_empty() {
            self.chunks.remove(at);
            return;
        }
        if self.chunks[at].spans.len() <= CHUNK {
            return;
        }
        let spans = std::mem::take(&mut self.chunks[at].spans);
        let mut parts = Vec::new();
        let mut spans = spans.into_iter().peekable();
        while spans.peek().is_some() {
            let part: Vec<Span> = spans.by_ref().take(CHUNK / 2).collect();
            let mut chunk = Chunk { spans: part, ..Chunk::default() };
            chunk.measure();
            chunk.count_words(&mut self.words);
            parts.push(chunk);
        }
        self.chunks.splice(at..=at, parts);
    }

    /// The chunk in which an offset lies, or after whose end it lies, and where that begins.
    fn chunk_at(&self, offset: u64) -> (usize, u64) {
        let mut start = 0;
        for (at, chunk) in self.chunks.iter().enumerate() {
            if offset < start + chunk.len || at + 1 == self.chunks.len() {
                return (at, start);
            }
            start += chunk.len;
        }
        (self.chunks.len(), start)
    }

    /// Appends up to `len` bytes from `offset` on.
    pub(super) fn read(
        &self,
        access: &Access,
        offset: u64,
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let full = out.len() + len;
        let (first, mut start) = self.chunk_at(offset);
        for chunk in self.chunks.iter().skip(first) {
            for span in &chunk.spans {
                let skip = offset.saturating_sub(start).min(span.len());
                start += span.len();
                let len = (full - out.len()).min((span.len() - skip) as usize);
                if len > 0 {
                    match span {
                        Span::Base { start, .. } => {
                            let base = self.base.expect("only documents of the file have such");
                            access.extract_to(base, start + skip, len, out)?;
                        }
                        Span::New(bytes) => {
                            out.extend_from_slice(&bytes[skip as usize..skip as usize + len]);
                        }
                    }
                }
                if out.len() == full {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Up to `len` bytes from `offset` on; `name` is for the error if that is past the end.
    pub(super) fn extract(
        &self,
        access: &Access,
        name: &[u8],
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, Error> {
        let Some(left) = self.size.checked_sub(offset) else {
            let document = String::from_utf8_lossy(name).into_owned();
            return Err(Error::OutOfRange { document, offset, size: self.size });
        };
        let mut out = Vec::new();
        let len = len.min(usize::try_from(left).unwrap_or(usize::MAX));
        self.read(access, offset, len, &mut out)?;
        Ok(out)
    }

    /// The lines `from` to `to`, counted from 1.
    pub(super) fn lines(
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

    /// How often a phrase stands here.
    pub(super) fn count(&self, access: &Access, phrase: &Phrase) -> Result<u64, Error> {
        if phrase.single().is_none() {
            return Ok(self.search(access, phrase)?.len() as u64);
        }
        let base = self.base.map_or(Ok(0), |base| access.count(base, phrase))?;
        Ok(base.saturating_add_signed(self.difference(phrase)))
    }

    /// How much oftener a phrase of one word stands here than in the compressed document.
    fn difference(&self, phrase: &Phrase) -> i64 {
        let id = phrase.single().and_then(|word| self.words.find(word));
        id.and_then(|id| self.differences.get(&id)).copied().unwrap_or(0)
    }

    /// All words that stand here oftener or less often than in the compressed document.
    pub(super) fn differences(&self) -> impl Iterator<Item = (&[u8], i64)> {
        self.differences
            .iter()
            .filter(|&(_, &difference)| difference != 0)
            .map(|(&id, &difference)| (self.words.bytes(id), difference))
    }

    /// Where a phrase stands.
    pub(super) fn search(&self, access: &Access, phrase: &Phrase) -> Result<Vec<Match>, Error> {
        if let Some(word) = phrase.single() {
            let len = word.len() as u64;
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
        let id = self.words.find(word);
        let finder = memmem::Finder::new(word);
        let mut places = Vec::new();
        let mut start = 0;
        let mut next = 0;
        for chunk in &self.chunks {
            while in_base.get(next).is_some_and(|found| found.offset < chunk.base.0) {
                next += 1;
            }
            let has_base = in_base.get(next).is_some_and(|found| found.offset < chunk.base.1);
            let has_new = id.and_then(|id| chunk.words.get(&id)).is_some_and(|&count| count > 0);
            if !has_base && !has_new {
                start += chunk.len;
                continue;
            }
            for span in &chunk.spans {
                match span {
                    Span::Base { start: from, len } => {
                        while in_base.get(next).is_some_and(|found| found.offset < *from) {
                            next += 1;
                        }
                        while let Some(found) = in_base.get(next)
                            && found.offset < from + len
                        {
                            places.push(start + found.offset - from);
                            next += 1;
                        }
                    }
                    Span::New(bytes) if has_new && finder.find(bytes).is_some() => {
                        let words = words_of(bytes, true).into_iter();
                        let same = words.filter(|(_, found)| *found == word);
                        places.extend(same.map(|(at, _)| start + at as u64));
                    }
                    Span::New(_) => {}
                }
                start += span.len();
            }
        }
        Ok(places)
    }

    /// Where the line begins before which `lines` line ends stand; the size if there are fewer.
    fn line_start(&self, access: &Access, mut lines: u64) -> Result<u64, Error> {
        if lines == 0 {
            return Ok(0);
        }
        let mut offset = 0;
        for span in self.chunks.iter().flat_map(|chunk| &chunk.spans) {
            match (span, self.base) {
                (Span::Base { start, len }, Some(base)) => {
                    let before = access.line_ends_before(base, *start)?;
                    let here = access.line_ends_before(base, start + len)? - before;
                    if lines <= here {
                        return Ok(offset + access.line_start(base, before + lines)? - start);
                    }
                    lines -= here;
                }
                (Span::New(bytes), _) => {
                    let mut ends = memchr::memchr_iter(b'\n', bytes);
                    match ends.nth(lines as usize - 1) {
                        Some(end) => return Ok(offset + end as u64 + 1),
                        None => lines -= memchr::memchr_iter(b'\n', bytes).count() as u64,
                    }
                }
                (Span::Base { .. }, None) => {}
            }
            offset += span.len();
        }
        Ok(self.size)
    }
}

/// An edited document's text, for looking around a place in it.
struct Source<'a> {
    text: &'a EditedText,
    access: &'a Access,
}

impl TextSource for Source<'_> {
    fn size(&self) -> Result<u64, Error> {
        Ok(self.text.size)
    }

    fn read(&self, offset: u64, len: usize, out: &mut Vec<u8>) -> Result<(), Error> {
        self.text.read(self.access, offset, len, out)
    }
}

fn change_words(
    counts: &mut FxHashMap<u32, u32>,
    words: &mut Interner,
    text: &[u8],
    change: impl Fn(&mut u32),
) {
    for (_, word) in words_of(text, true) {
        change(counts.entry(words.intern(TokenClass::Spaced, word)).or_default());
    }
}

/// Cuts bytes into spans, at safe places.
fn cut(mut bytes: Vec<u8>) -> Vec<Span> {
    let mut spans = Vec::new();
    while bytes.len() > 2 * SPAN {
        let safe = (SPAN..bytes.len()).find(|&place| is_safe_after(&bytes[..place]));
        let Some(place) = safe else { break };
        let rest = bytes.split_off(place);
        spans.push(Span::New(std::mem::replace(&mut bytes, rest)));
    }
    if !bytes.is_empty() {
        spans.push(Span::New(bytes));
    }
    spans
}

/// Whether the place after these bytes is safe: they end with a whole character that is part of no
/// longer word. That holds whatever stands before and after them, so no word ever crosses the place.
#[must_use]
pub fn is_safe_after(bytes: &[u8]) -> bool {
    let Some(&last) = bytes.last() else { return false };
    if last < 0x80 {
        return !last.is_ascii_alphanumeric();
    }
    // The last character of several bytes, if it is valid; its first byte cannot be part of another.
    let start =
        (2..=4.min(bytes.len())).map(|len| bytes.len() - len).find(|&start| bytes[start] >= 0xC0);
    start.is_some_and(|start| {
        let mut safe = false;
        if std::str::from_utf8(&bytes[start..]).is_ok() {
            Splitter::default()
                .finish(&bytes[start..], |class, _| safe = class != TokenClass::Spaced);
        }
        safe
    })
}
