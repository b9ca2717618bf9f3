//! The spans of an edited document.
//!
//! They are stored in chunks of bounded length, and the chunks in groups. So an edit moves few spans, and
//! finding an offset passes few of them, even if there are many.

use super::span::{Cover, Span};

/// Most spans in a chunk.
const CHUNK: usize = if cfg!(test) { 4 } else { 64 };

/// Most chunks in a group.
const GROUP: usize = if cfg!(test) { 6 } else { 64 };

#[derive(Clone, Debug)]
pub(super) struct Chunk {
    /// Its number, which it keeps.
    id: u32,
    pub(super) spans: Vec<Span>,
    pub(super) cover: Cover,
}

impl Chunk {
    fn of(id: u32, spans: Vec<Span>) -> Self {
        let cover = Cover::of(spans.iter().map(|&span| Cover::of_span(span)));
        Self { id, spans, cover }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Group {
    id: u32,
    pub(super) chunks: Vec<Chunk>,
    pub(super) cover: Cover,
}

impl Group {
    fn of(id: u32, chunks: Vec<Chunk>) -> Self {
        let mut group = Self { id, chunks, cover: Cover::NOTHING };
        group.measure();
        group
    }

    fn measure(&mut self) {
        self.cover = Cover::of(self.chunks.iter().map(|chunk| chunk.cover));
    }
}

/// Receives the chunk of each span of new bytes, with the start of the span in the new bytes.
pub(in crate::store) trait Homes {
    /// The span is in this chunk now.
    fn put(&mut self, start: usize, chunk: u32);
    /// There is no such span any more.
    fn remove(&mut self, start: usize);
}

/// Nobody needs to know.
impl Homes for () {
    fn put(&mut self, _: usize, _: u32) {}
    fn remove(&mut self, _: usize) {}
}

/// All spans of a document, in order. None is empty.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct Spans {
    groups: Vec<Group>,
    /// The group of each chunk, by their numbers.
    group_of: Vec<u32>,
    next_group: u32,
    size: u64,
    /// Number of new bytes.
    new: usize,
}

/// A place among the spans: the indices of a group, of a chunk in it and of a span in that, and where
/// the span begins in the document.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Place {
    pub(super) group: usize,
    pub(super) chunk: usize,
    pub(super) span: usize,
    pub(super) offset: u64,
}

impl Spans {
    /// A whole compressed document.
    pub(in crate::store) fn of_base(size: u64) -> Self {
        let mut spans = Self::default();
        if size > 0 {
            spans.begin(vec![Span::Base { start: 0, len: size }]);
            spans.size = size;
        }
        spans
    }

    /// Adds the first chunk.
    fn begin(&mut self, spans: Vec<Span>) {
        let group = self.new_group();
        let chunk = Chunk::of(self.new_chunk(group), spans);
        self.groups.push(Group::of(group, vec![chunk]));
    }

    fn new_group(&mut self) -> u32 {
        self.next_group += 1;
        self.next_group - 1
    }

    fn new_chunk(&mut self, group: u32) -> u32 {
        self.group_of.push(group);
        self.group_of.len() as u32 - 1
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
        self.chunks().map(|chunk| chunk.spans.len()).sum()
    }

    /// Whether the document ends at `end` and its last `len` bytes are the last of `new` new bytes.
    pub(in crate::store) fn ends_with_new(&self, new: usize, end: u64, len: u64) -> bool {
        let last = self.groups.last().and_then(|group| group.chunks.last());
        end == self.size
            && matches!(last.and_then(|chunk| chunk.spans.last()), Some(&Span::New { start, len: last })
                if start + last == new && last as u64 >= len)
    }

    pub(super) fn groups(&self) -> &[Group] {
        &self.groups
    }

    fn chunks(&self) -> impl Iterator<Item = &Chunk> {
        self.groups.iter().flat_map(|group| &group.chunks)
    }

    pub(in crate::store) fn iter(&self) -> impl Iterator<Item = Span> {
        self.chunks().flat_map(|chunk| &chunk.spans).copied()
    }

    /// The offset of the chunk that contains an offset, and all spans from that chunk on.
    pub(in crate::store) fn from(&self, offset: u64) -> (u64, impl Iterator<Item = Span>) {
        let at = self.chunk_at(offset);
        let mut groups = self.groups[at.group.min(self.groups.len())..].iter();
        let first = groups.next().map_or(&[][..], |group| &group.chunks[at.chunk..]);
        let rest = groups.flat_map(|group| &group.chunks);
        (at.offset, first.iter().chain(rest).flat_map(|chunk| &chunk.spans).copied())
    }

    /// Changes the positions of new bytes.
    pub(in crate::store) fn move_new(&mut self, mut place: impl FnMut(usize, usize) -> usize) {
        let chunks = self.groups.iter_mut().flat_map(|group| &mut group.chunks);
        for span in chunks.flat_map(|chunk| &mut chunk.spans) {
            if let Span::New { start, len } = span {
                *start = place(*start, *len);
            }
        }
    }

    /// Calls `homes` for each span of new bytes.
    pub(in crate::store) fn tell_homes(&self, homes: &mut impl Homes) {
        self.chunks().for_each(|chunk| tell(chunk, homes));
    }

    /// The offset in the document of a new byte that is in a span which starts at `start` in the new
    /// bytes, in this chunk; `None` if the span ends before it.
    pub(in crate::store) fn offset_of(&self, chunk: u32, start: usize, byte: usize) -> Option<u64> {
        let home = *self.group_of.get(chunk as usize)?;
        let mut offset = 0;
        let group = self.groups.iter().find(|group| {
            let is_here = group.id == home;
            offset += if is_here { 0 } else { group.cover.len };
            is_here
        })?;
        let chunk = group.chunks.iter().find(|other| {
            let is_here = other.id == chunk;
            offset += if is_here { 0 } else { other.cover.len };
            is_here
        })?;
        for &span in &chunk.spans {
            match span {
                Span::New { start: from, len } if from == start => {
                    return (byte - from < len).then(|| offset + (byte - from) as u64);
                }
                _ => offset += span.len(),
            }
        }
        None
    }

    /// Replaces the spans between two offsets by a span of new bytes, which may be empty. Calls `gone` with
    /// each removed range of the compressed document: its offset in this document, and its length.
    pub(in crate::store) fn replace(
        &mut self,
        start: u64,
        end: u64,
        new: Span,
        homes: &mut impl Homes,
        mut gone: impl FnMut(u64, usize),
    ) {
        if self.groups.is_empty() {
            self.begin(Vec::new());
        }
        let at = self.chunk_at(start);
        let is_joined = self.join_chunks(at, end);
        let mut offset = at.offset;
        let chunk = &mut self.groups[at.group].chunks[at.chunk];
        let spans = &mut chunk.spans;
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
                Span::New { start, len } => {
                    self.new -= len - skipped as usize;
                    if skipped == 0 {
                        homes.remove(start);
                    }
                }
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
        for span in instead.iter().flatten() {
            if let Span::New { start, .. } = span {
                homes.put(*start, chunk.id);
            }
        }
        spans.splice(from..to, instead.into_iter().flatten());
        chunk.cover = Cover::of(spans.iter().map(|&span| Cover::of_span(span)));
        if is_joined {
            tell(chunk, homes);
        }
        self.groups[at.group].measure();
        self.divide(at, homes);
    }

    /// Makes all chunks from a place to an offset one, which is divided again later. Returns whether
    /// there were several.
    fn join_chunks(&mut self, at: Place, end: u64) -> bool {
        let mut reached = at.offset + self.groups[at.group].chunks[at.chunk].cover.len;
        if reached >= end {
            return false;
        }
        let mut joined = Vec::new();
        while reached < end {
            // The chunk after the first, in its group or in the next.
            let (group, chunk) = match self.groups[at.group].chunks.len() > at.chunk + 1 {
                true => (at.group, at.chunk + 1),
                false => (at.group + 1, 0),
            };
            let next = self.groups[group].chunks.remove(chunk);
            if self.groups[group].chunks.is_empty() {
                self.groups.remove(group);
            } else if group > at.group {
                self.groups[group].measure();
            }
            reached += next.cover.len;
            joined.extend(next.spans);
        }
        self.groups[at.group].chunks[at.chunk].spans.extend(joined);
        true
    }

    /// Divides a chunk that is too long and a group with too many, and removes empty ones.
    fn divide(&mut self, at: Place, homes: &mut impl Homes) {
        let group = &mut self.groups[at.group];
        let chunk = &mut group.chunks[at.chunk];
        if chunk.spans.is_empty() {
            group.chunks.remove(at.chunk);
            if group.chunks.is_empty() {
                self.groups.remove(at.group);
            }
        } else if chunk.spans.len() > CHUNK {
            let spans = std::mem::take(&mut chunk.spans);
            let (first, rest) = spans.split_at(CHUNK / 2);
            let (id, group) = (chunk.id, group.id);
            let mut parts = vec![Chunk::of(id, first.to_vec())];
            for part in rest.chunks(CHUNK / 2) {
                let part = Chunk::of(self.new_chunk(group), part.to_vec());
                tell(&part, homes);
                parts.push(part);
            }
            self.groups[at.group].chunks.splice(at.chunk..=at.chunk, parts);
        }
        if self.groups.get(at.group).is_some_and(|group| group.chunks.len() > GROUP) {
            let rest = self.groups[at.group].chunks.split_off(GROUP / 2);
            self.groups[at.group].measure();
            let mut parts = Vec::new();
            let mut rest = rest.into_iter().peekable();
            while rest.peek().is_some() {
                let id = self.new_group();
                let chunks: Vec<Chunk> = rest.by_ref().take(GROUP / 2).collect();
                chunks.iter().for_each(|chunk| self.group_of[chunk.id as usize] = id);
                parts.push(Group::of(id, chunks));
            }
            self.groups.splice(at.group + 1..at.group + 1, parts);
        }
    }

    /// The first chunk that contains an offset, or the last one if the document ends there.
    pub(super) fn chunk_at(&self, offset: u64) -> Place {
        let mut place = Place::default();
        if self.groups.is_empty() {
            return place;
        }
        while place.group + 1 < self.groups.len()
            && place.offset + self.groups[place.group].cover.len <= offset
        {
            place.offset += self.groups[place.group].cover.len;
            place.group += 1;
        }
        let chunks = &self.groups[place.group].chunks;
        while place.chunk + 1 < chunks.len()
            && place.offset + chunks[place.chunk].cover.len <= offset
        {
            place.offset += chunks[place.chunk].cover.len;
            place.chunk += 1;
        }
        place
    }
}

/// Calls `homes` for each span of new bytes in a chunk.
fn tell(chunk: &Chunk, homes: &mut impl Homes) {
    for span in &chunk.spans {
        if let Span::New { start, .. } = span {
            homes.put(*start, chunk.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::overlay::text::cursor::Cursor;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    impl Homes for BTreeMap<usize, u32> {
        fn put(&mut self, start: usize, chunk: u32) {
            self.insert(start, chunk);
        }

        fn remove(&mut self, start: usize) {
            assert!(BTreeMap::remove(self, &start).is_some());
        }
    }

    proptest! {
        /// Spans against a plain list of bytes.
        #[test]
        fn spans_are_what_was_put_there(
            size in 0u64..3000,
            edits in proptest::collection::vec((any::<u16>(), 0u64..20, 0usize..9), 0..300),
            deletion in 0u64..400,
        ) {
            let mut spans = Spans::of_base(size);
            let mut homes = BTreeMap::new();
            let mut model: Vec<(bool, u64)> = (0..size).map(|at| (false, at)).collect();
            let mut new = 0;
            let deletion = Some((7, deletion, 1));
            for (at, len, added) in edits.into_iter().chain(deletion) {
                let start = u64::from(at) % (model.len() as u64 + 1);
                let end = (start + len).min(model.len() as u64);
                let mut gone = Vec::new();
                spans.replace(start, end, Span::New { start: new, len: added }, &mut homes, |offset, len| {
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
            prop_assert_eq!(&found, &model);
            let mut offset = 0;
            let mut starts = Vec::new();
            for span in spans.iter() {
                if let Span::New { start, len } = span {
                    let home = homes[&start];
                    prop_assert_eq!(spans.offset_of(home, start, start + len - 1), Some(offset + len as u64 - 1));
                    prop_assert_eq!(spans.offset_of(home, start, start + len), None);
                    starts.push(start);
                }
                prop_assert_eq!(Cursor::at(&spans, offset).next(|_| true), Some((span, offset)));
                let base = Cursor::at(&spans, offset).base_from(offset);
                let next = model[offset as usize..].iter().find(|(is_new, _)| !is_new);
                prop_assert_eq!(base, next.map_or(u64::MAX, |&(_, at)| at));
                offset += span.len();
            }
            starts.sort_unstable();
            prop_assert_eq!(homes.into_keys().collect::<Vec<_>>(), starts);
            for group in &spans.groups {
                prop_assert!(!group.chunks.is_empty() && group.chunks.len() <= GROUP);
                for chunk in &group.chunks {
                    prop_assert!(!chunk.spans.is_empty() && chunk.spans.len() <= CHUNK);
                    prop_assert_eq!(chunk.cover.len, chunk.spans.iter().map(|span| span.len()).sum::<u64>());
                    prop_assert_eq!(spans.group_of[chunk.id as usize], group.id);
                }
                prop_assert_eq!(group.cover, Cover::of(group.chunks.iter().map(|chunk| chunk.cover)));
            }
        }
    }
}
