//! The spans of an edited document.
//!
//! They are stored in chunks of bounded length, so that an edit moves few of them even if there are
//! many.

/// Most spans in a chunk.
const CHUNK: usize = 64;

/// A part of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::store) enum Span {
    /// A range of the compressed document.
    Base { start: u64, len: u64 },
    /// A range of the new bytes.
    New { start: usize, len: usize },
}

impl Span {
    pub(in crate::store) fn len(self) -> u64 {
        match self {
            Self::Base { len, .. } => len,
            Self::New { len, .. } => len as u64,
        }
    }

    /// Splits it after `at` bytes.
    fn split(self, at: u64) -> (Self, Self) {
        match self {
            Self::Base { start, len } => {
                (Self::Base { start, len: at }, Self::Base { start: start + at, len: len - at })
            }
            Self::New { start, len } => {
                let at = at as usize;
                (Self::New { start, len: at }, Self::New { start: start + at, len: len - at })
            }
        }
    }

    /// Both as one span, if the second continues the first.
    fn join(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::New { start, len }, Self::New { start: next, len: more })
                if start + len == next =>
            {
                Some(Self::New { start, len: len + more })
            }
            _ => None,
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Chunk {
    pub(in crate::store) spans: Vec<Span>,
    pub(in crate::store) len: u64,
    /// The range of the compressed document that its spans cover.
    pub(in crate::store) base: (u64, u64),
    /// Whether it has new bytes.
    pub(in crate::store) has_new: bool,
}

impl Chunk {
    fn of(spans: Vec<Span>) -> Self {
        let mut chunk = Self { spans, ..Self::default() };
        chunk.measure();
        chunk
    }

    fn measure(&mut self) {
        (self.len, self.base, self.has_new) = (0, (u64::MAX, 0), false);
        for span in &self.spans {
            self.len += span.len();
            match *span {
                Span::Base { start, len } => {
                    self.base = (self.base.0.min(start), self.base.1.max(start + len));
                }
                Span::New { .. } => self.has_new = true,
            }
        }
    }
}

/// All spans of a document, in order. None is empty.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Spans {
    chunks: Vec<Chunk>,
    size: u64,
    /// Number of new bytes.
    new: usize,
}

impl Spans {
    /// A whole compressed document.
    pub(in crate::store) fn of_base(size: u64) -> Self {
        let mut spans = Self::default();
        if size > 0 {
            spans.chunks.push(Chunk::of(vec![Span::Base { start: 0, len: size }]));
            spans.size = size;
        }
        spans
    }

    /// The document's size in bytes.
    pub(in crate::store) fn size(&self) -> u64 {
        self.size
    }

    /// The number of new bytes.
    pub(in crate::store) fn new_bytes(&self) -> usize {
        self.new
    }

    /// The number of spans.
    pub(in crate::store) fn count(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.spans.len()).sum()
    }

    /// Whether the document ends at `end` and its last `len` bytes are the last of `new` new bytes.
    pub(in crate::store) fn ends_with_new(&self, new: usize, end: u64, len: u64) -> bool {
        let last = self.chunks.last().and_then(|chunk| chunk.spans.last());
        end == self.size
            && matches!(last, Some(&Span::New { start, len: last })
                if start + last == new && last as u64 >= len)
    }

    pub(in crate::store) fn chunks(&self) -> &[Chunk] {
        &self.chunks
    }

    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = Span> {
        self.chunks.iter().flat_map(|chunk| &chunk.spans).copied()
    }

    /// The offset of the chunk that contains an offset, and all spans from that chunk on.
    pub(in crate::store) fn from(&self, offset: u64) -> (u64, impl Iterator<Item = Span>) {
        let (first, start) = self.chunk_at(offset);
        (start, self.chunks[first..].iter().flat_map(|chunk| &chunk.spans).copied())
    }

    /// Changes the positions of new bytes.
    pub(in crate::store) fn move_new(&mut self, mut place: impl FnMut(usize, usize) -> usize) {
        for span in self.chunks.iter_mut().flat_map(|chunk| &mut chunk.spans) {
            if let Span::New { start, len } = span {
                *start = place(*start, *len);
            }
        }
    }

    /// Replaces the spans between two offsets by a span of new bytes, which may be empty. Calls `gone` with
    /// each removed range of the compressed document: its offset in this document, and its length.
    pub(in crate::store) fn replace(
        &mut self,
        start: u64,
        end: u64,
        new: Span,
        mut gone: impl FnMut(u64, usize),
    ) {
        let (first, mut offset) = self.chunk_at(start);
        if first == self.chunks.len() {
            self.chunks.push(Chunk::default());
        }
        // All chunks that the range touches become one, which is divided again below.
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
        }
        let spans = &mut self.chunks[first].spans;
        let mut from = 0;
        while from < spans.len() && offset + spans[from].len() <= start {
            offset += spans[from].len();
            from += 1;
        }
        // At most: the start of a cut span, the new span, the end of another cut span.
        let mut instead = [None; 3];
        if offset < start {
            instead[0] = Some(spans[from].split(start - offset).0);
        }
        let mut to = from;
        while offset < end {
            let span = spans[to];
            let mut cut = span;
            if offset + span.len() > end {
                let (before, after) = span.split(end - offset);
                cut = before;
                instead[2] = Some(after);
            }
            let skipped = start.saturating_sub(offset);
            match cut {
                Span::Base { len, .. } if len > skipped => {
                    gone(offset + skipped, (len - skipped) as usize);
                }
                Span::Base { .. } => {}
                Span::New { len, .. } => self.new -= len - skipped as usize,
            }
            offset += cut.len();
            to += 1;
        }
        self.size = self.size - (end - start) + new.len();
        if new.len() > 0 {
            self.new += new.len() as usize;
            // Many small edits in a row, such as appends, become one span.
            let before = instead[0].or_else(|| Some(spans[from.checked_sub(1)?]));
            match before.and_then(|before| before.join(new)) {
                Some(joined) if instead[0].is_none() => spans[from - 1] = joined,
                Some(joined) => instead[0] = Some(joined),
                None => instead[1] = Some(new),
            }
        }
        spans.splice(from..to, instead.into_iter().flatten());
        self.chunks[first].measure();
        self.divide(first);
    }

    /// Divides a chunk that is too long, and removes an empty one.
    fn divide(&mut self, at: usize) {
        let spans = &mut self.chunks[at].spans;
        if spans.is_empty() {
            self.chunks.remove(at);
        } else if spans.len() > CHUNK {
            let spans = std::mem::take(spans);
            let parts = spans.chunks(CHUNK / 2).map(|part| Chunk::of(part.to_vec()));
            self.chunks.splice(at..=at, parts);
        }
    }

    /// The chunk that contains an offset or ends there, and the chunk's offset.
    fn chunk_at(&self, offset: u64) -> (usize, u64) {
        let Some(last) = self.chunks.last() else { return (0, 0) };
        if offset >= self.size - last.len {
            return (self.chunks.len() - 1, self.size - last.len);
        }
        let mut start = 0;
        for (at, chunk) in self.chunks.iter().enumerate() {
            if offset < start + chunk.len {
                return (at, start);
            }
            start += chunk.len;
        }
        (self.chunks.len(), start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Spans against a plain list of bytes.
        #[test]
        fn spans_are_what_was_put_there(
            size in 0u64..300,
            edits in proptest::collection::vec((any::<u16>(), 0u64..20, 0usize..9), 0..300),
        ) {
            let mut spans = Spans::of_base(size);
            let mut model: Vec<(bool, u64)> = (0..size).map(|at| (false, at)).collect();
            let mut new = 0;
            for (at, len, added) in edits {
                let start = u64::from(at) % (model.len() as u64 + 1);
                let end = (start + len).min(model.len() as u64);
                let mut gone = Vec::new();
                spans.replace(start, end, Span::New { start: new, len: added }, |offset, len| {
                    gone.extend(offset..offset + len as u64);
                });
                let expected: Vec<u64> =
                    (start..end).filter(|&at| !model[at as usize].0).collect();
                prop_assert_eq!(gone, expected);
                let bytes = (new..new + added).map(|at| (true, at as u64));
                model.splice(start as usize..end as usize, bytes);
                new += added;
            }
            let found: Vec<(bool, u64)> = spans
                .iter()
                .flat_map(|span| match span {
                    Span::Base { start, len } => (start..start + len).map(|at| (false, at)).collect::<Vec<_>>(),
                    Span::New { start, len } => (start..start + len).map(|at| (true, at as u64)).collect(),
                })
                .collect();
            prop_assert_eq!(spans.size(), model.len() as u64);
            prop_assert_eq!(spans.new_bytes(), model.iter().filter(|(is_new, _)| *is_new).count());
            prop_assert_eq!(found, model);
            for chunk in spans.chunks() {
                prop_assert!(!chunk.spans.is_empty() && chunk.spans.len() <= CHUNK);
                prop_assert_eq!(chunk.len, chunk.spans.iter().map(|span| span.len()).sum::<u64>());
            }
        }
    }
}
