//! The text of one edited document: ranges of the compressed text, and new bytes between them.
//!
//! This is the paper's `records` (random-access section IV-B), arranged so that every answer stays as
//! cheap as before the edits. The document is a list of *spans*: ranges of its compressed text or of its
//! new bytes. An edit copies the text around it, up to the next *safe* places, into a new span. A place
//! is safe when the character before it is complete and cannot join a word with any text that follows.
//! So no word ever crosses the border of two spans, and:
//!
//! * the count of a word is the count in the compressed document, minus the count in the removed text,
//!   plus the count in the new bytes;
//! * the occurrences of a word are those in the compressed document, moved with their spans, and those in
//!   the new bytes.
//!
//! An edit only moves bytes. Their words are counted or searched when a question needs it, and indexed once
//! many questions have (`words.rs`).

mod cursor;
mod lines;
mod safe;
mod search;
mod span;
mod spans;
mod words;

pub use safe::is_safe_after;
pub(in crate::store) use span::Span;

use crate::access::{Access, Patience};
use crate::error::AccessError;
use crate::store::overlay::word_change::WordChange;
use safe::first_after;
use spans::Spans;
use std::ops::Range;
use std::sync::OnceLock;
use words::WordIndex;

/// Bytes read first, on each side of an edit, to find a safe place.
const WINDOW: u64 = 32;

/// Removed text is kept up to this length.
const MOST_GONE: usize = 1 << 20;

/// New bytes that are in no span are discarded once they exceed the others plus this.
const MOST_UNUSED: usize = 1 << 16;

/// Words are indexed once questions have read the new bytes this many times.
const SCANS_AN_INDEX: u64 = 16;

/// An edited document.
#[derive(Debug)]
pub(in crate::store) struct EditedText {
    /// The compressed document, unless this one is new.
    base: Option<usize>,
    spans: Spans,
    /// New bytes, in the order of the edits.
    new: Vec<u8>,
    /// All compressed text that is in no span any more, each part from one safe place to another; `None`
    /// if it is too long. Not needed once there is an index of words.
    gone: Option<Vec<u8>>,
    words: OnceLock<WordIndex>,
    /// Counts the bytes read for lack of that.
    without_words: Patience,
}

impl Clone for EditedText {
    /// The copy has no index.
    fn clone(&self) -> Self {
        Self {
            base: self.base,
            spans: self.spans.clone(),
            new: self.new.clone(),
            gone: self.gone.clone().filter(|_| self.words.get().is_none()),
            words: OnceLock::new(),
            without_words: Patience::default(),
        }
    }
}

impl EditedText {
    /// A compressed document, not edited yet.
    pub(in crate::store) fn of_base(document: usize, size: u64) -> Self {
        Self {
            base: Some(document),
            spans: Spans::of_base(size),
            new: Vec::new(),
            gone: Some(Vec::new()),
            words: OnceLock::new(),
            without_words: Patience::default(),
        }
    }

    /// A new document.
    pub(in crate::store) fn of_bytes(bytes: &[u8]) -> Self {
        let mut spans = Spans::default();
        spans.replace(0, 0, Span::New { start: 0, len: bytes.len() }, &mut (), |_, _| {});
        Self {
            base: None,
            spans,
            new: bytes.to_vec(),
            gone: Some(Vec::new()),
            words: OnceLock::new(),
            without_words: Patience::default(),
        }
    }

    pub(in crate::store) fn size(&self) -> u64 {
        self.spans.size()
    }

    /// Its spans, in order.
    pub(in crate::store) fn spans(&self) -> impl Iterator<Item = Span> {
        self.spans.iter()
    }

    /// The number of spans, and of new bytes in them.
    pub(in crate::store) fn extent(&self) -> (usize, usize) {
        (self.spans.count(), self.spans.new_bytes())
    }

    /// The bytes of a span of new bytes.
    pub(in crate::store) fn new_bytes(&self, start: usize, len: usize) -> &[u8] {
        &self.new[start..start + len]
    }

    /// Replaces `removed` bytes at `at` by `inserted`. The range must be in the document. Adds the words
    /// that this changes to `words`.
    pub(in crate::store) fn splice(
        &mut self,
        access: &Access,
        at: u64,
        removed: u64,
        inserted: &[u8],
        words: &mut WordChange,
    ) -> Result<(), AccessError> {
        if removed == 0 && inserted.is_empty() {
            return Ok(());
        }
        let Surroundings { start, end, text, cut } = self.surroundings(access, at, removed)?;
        let is_known = cut.len() as u64 == removed;
        if self.spans.ends_with_new(self.new.len(), end, end - start) {
            // The end of the new bytes is about to be written again. So many small edits in a row, such
            // as appends, become one span.
            let kept = self.new.len() - (end - start) as usize;
            if let Some(index) = self.words.get_mut() {
                index.forget_last(kept, &self.new[kept..]);
            }
            self.new.truncate(kept);
        }
        let len = text.len() - cut.len() + inserted.len();
        let span = Span::New { start: self.new.len(), len };
        for bytes in [&text[..cut.start], inserted, &text[cut.end..]] {
            self.new.extend_from_slice(bytes);
        }
        let added = self.new.len() - len;
        if is_known {
            words.lose(&text);
            words.gain(&self.new[added..]);
        } else {
            words.give_up();
        }
        if self.new.len() > u32::MAX as usize {
            self.words.take();
        }
        if let Some(index) = self.words.get_mut() {
            self.gone = None;
            if is_known {
                index.lose(&text);
            } else {
                index.give_up_removed();
            }
            index.gain(added, &self.new[added..]);
            self.spans.replace(start, end, span, index.homes(), |_, _| {});
        } else {
            let mut gone = self.gone.take().filter(|_| is_known);
            self.spans.replace(start, end, span, &mut (), |offset, len| {
                if let Some(gone) = &mut gone {
                    // A document may end in the middle of a word.
                    if !gone.is_empty() && !is_safe_after(gone) {
                        gone.push(b'\n');
                    }
                    let from = (offset - start) as usize;
                    gone.extend_from_slice(&text[from..from + len]);
                }
            });
            self.gone = gone.filter(|gone| gone.len() <= MOST_GONE);
        }
        if self.new.len() > 2 * self.spans.new_bytes() + MOST_UNUSED {
            self.give_up_unused();
        }
        Ok(())
    }

    /// Discards new bytes that are in no span.
    fn give_up_unused(&mut self) {
        let old = std::mem::take(&mut self.new);
        let new = &mut self.new;
        self.spans.move_new(|start, len| {
            let place = new.len();
            new.extend_from_slice(&old[start..start + len]);
            place
        });
        if let Some(index) = self.words.get_mut() {
            index.list_again(&self.spans, &self.new);
        }
    }

    /// The index of words, if it is made or worth making now.
    fn word_index(&self) -> Option<&WordIndex> {
        if let Some(index) = self.words.get() {
            return Some(index);
        }
        let read = self.new.len() + self.gone.as_ref().map_or(0, Vec::len);
        let worth = SCANS_AN_INDEX * read as u64;
        if self.new.len() > u32::MAX as usize || self.without_words.spend(read as u64, worth) {
            return None;
        }
        let make = || WordIndex::new(&self.spans, &self.new, self.gone.as_deref());
        Some(self.words.get_or_init(make))
    }

    /// The text from the last safe place before a range to the first after it.
    fn surroundings(
        &self,
        access: &Access,
        at: u64,
        removed: u64,
    ) -> Result<Surroundings, AccessError> {
        // Usually both are near, and one read finds them.
        let from = at.saturating_sub(WINDOW);
        let to = (at + removed + WINDOW).min(self.size());
        let (mut text, cut) = self.read_around(access, at, removed, from, to)?;
        let start = match (1..=cut.start).rev().find(|&end| is_safe_after(&text[..end])) {
            Some(start) => from + start as u64,
            None => self.safe_before(access, at)?,
        };
        let end = match first_after(&text, cut.end) {
            Some(end) => at + removed + (end - cut.end) as u64,
            None => self.safe_after(access, at + removed)?,
        };
        if start < from || end > to {
            let (text, cut) = self.read_around(access, at, removed, start, end)?;
            return Ok(Surroundings { start, end, text, cut });
        }
        text.truncate(text.len() - (to - end) as usize);
        let before = (start - from) as usize;
        text.drain(..before);
        Ok(Surroundings { start, end, text, cut: cut.start - before..cut.end - before })
    }

    /// The text from `from` to `to`, and the range in it of the `removed` bytes at `at`. These are left
    /// out if they are too many to keep.
    fn read_around(
        &self,
        access: &Access,
        at: u64,
        removed: u64,
        from: u64,
        to: u64,
    ) -> Result<(Vec<u8>, Range<usize>), AccessError> {
        let mut text = Vec::new();
        let before = (at - from) as usize;
        if removed <= MOST_GONE as u64 {
            self.read(access, from, (to - from) as usize, &mut text)?;
            return Ok((text, before..before + removed as usize));
        }
        self.read(access, from, before, &mut text)?;
        self.read(access, at + removed, (to - at - removed) as usize, &mut text)?;
        Ok((text, before..before))
    }

    /// The last safe place at or before `at`.
    fn safe_before(&self, access: &Access, at: u64) -> Result<u64, AccessError> {
        let mut end = at;
        let mut window = WINDOW;
        let mut bytes = Vec::new();
        while end > 0 {
            // Three more bytes: a character may begin before the window.
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
    fn safe_after(&self, access: &Access, at: u64) -> Result<u64, AccessError> {
        let mut start = at;
        let mut window = WINDOW;
        let mut bytes = Vec::new();
        while start < self.size() {
            let from = start.saturating_sub(3).max(at);
            let end = (start + window).min(self.size());
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
        Ok(self.size())
    }

    /// Appends up to `len` bytes from `offset` on.
    pub(in crate::store) fn read(
        &self,
        access: &Access,
        offset: u64,
        len: usize,
        out: &mut Vec<u8>,
    ) -> Result<(), AccessError> {
        let full = out.len() + len;
        let (mut start, spans) = self.spans.from(offset);
        for span in spans {
            if out.len() == full {
                break;
            }
            let skip = offset.saturating_sub(start).min(span.len());
            start += span.len();
            let len =
                (full - out.len()).min(usize::try_from(span.len() - skip).unwrap_or(usize::MAX));
            if len == 0 {
                continue;
            }
            match span {
                Span::Base { start, .. } => {
                    let base = self.base.expect("only documents of the file have such");
                    access.extract_to(base, start + skip, len, out)?;
                }
                Span::New { start, .. } => {
                    out.extend_from_slice(self.new_bytes(start + skip as usize, len));
                }
            }
        }
        Ok(())
    }

    /// Up to `len` bytes from `offset` on; `name` is for the error if `offset` is past the end.
    pub(in crate::store) fn extract(
        &self,
        access: &Access,
        name: &[u8],
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, AccessError> {
        let Some(left) = self.size().checked_sub(offset) else {
            let document = String::from_utf8_lossy(name).into_owned();
            return Err(AccessError::OutOfRange { document, offset, size: self.size() });
        };
        let mut out = Vec::new();
        let len = len.min(usize::try_from(left).unwrap_or(usize::MAX));
        self.read(access, offset, len, &mut out)?;
        Ok(out)
    }
}

/// The text around an edit.
struct Surroundings {
    /// The safe places at its start and end.
    start: u64,
    end: u64,
    text: Vec<u8>,
    /// The removed part; empty if it was not read.
    cut: Range<usize>,
}
