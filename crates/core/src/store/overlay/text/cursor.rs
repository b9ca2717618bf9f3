//! Moves over the spans of an edited document, and skips chunks and groups of them.

use super::span::{Cover, Span};
use super::spans::{Place, Spans};

/// Moves over the spans of a text, from left to right.
pub(super) struct Cursor<'a> {
    spans: &'a Spans,
    /// The next span.
    at: Place,
}

impl<'a> Cursor<'a> {
    /// A cursor at the first span that ends after an offset.
    pub(super) fn at(spans: &'a Spans, offset: u64) -> Self {
        let mut at = spans.chunk_at(offset);
        let chunk = spans.groups().get(at.group).map(|group| &group.chunks[at.chunk]);
        for span in chunk.map_or(&[][..], |chunk| &chunk.spans) {
            if at.offset + span.len() > offset {
                break;
            }
            at.offset += span.len();
            at.span += 1;
        }
        Self { spans, at }
    }

    /// The first byte of the compressed document at or after an offset of this one, which is in the next
    /// span.
    pub(super) fn base_from(&self, offset: u64) -> u64 {
        let mut rest = Self { spans: self.spans, at: self.at };
        while let Some((span, start)) = rest.next(|cover| cover.base.1 > 0) {
            if let Span::Base { start: base, .. } = span {
                return base + offset.saturating_sub(start);
            }
        }
        u64::MAX
    }

    /// Passes the next span, and returns it with its offset. Groups and chunks that are not `wanted` are
    /// skipped if none of their spans was passed.
    pub(super) fn next(&mut self, wanted: impl Fn(&Cover) -> bool) -> Option<(Span, u64)> {
        loop {
            let at = &mut self.at;
            let group = self.spans.groups().get(at.group)?;
            if at.chunk == 0 && at.span == 0 && !wanted(&group.cover) {
                at.offset += group.cover.len;
                at.group += 1;
                continue;
            }
            let Some(chunk) = group.chunks.get(at.chunk) else {
                (at.group, at.chunk, at.span) = (at.group + 1, 0, 0);
                continue;
            };
            if at.span == 0 && !wanted(&chunk.cover) {
                at.offset += chunk.cover.len;
                at.chunk += 1;
                continue;
            }
            let Some(&span) = chunk.spans.get(at.span) else {
                (at.chunk, at.span) = (at.chunk + 1, 0);
                continue;
            };
            let offset = at.offset;
            at.offset += span.len();
            at.span += 1;
            return Some((span, offset));
        }
    }

    /// Goes back to the span that was just passed.
    pub(super) fn back(&mut self, span: Span) {
        self.at.offset -= span.len();
        self.at.span -= 1;
    }
}

impl Cover {
    /// Whether it may have bytes that a walk to an offset of the compressed document looks at: new bytes,
    /// if `new` is set, and those from that offset on.
    pub(super) fn has(&self, new: bool, base: Option<u64>) -> bool {
        (new && self.has_new) || base.is_some_and(|base| base < self.base.1)
    }
}
