//! The inverse transform (thesis, section 3.3), by many short walks instead of one long one.
//!
//! Rows form a list: each leads to the row of the rotation that begins one symbol later, and the
//! symbols of the last column along the list are the text. One walk along it waits for memory at
//! every step. The thesis breaks the walk up by pointer doubling (algorithms 7 and 8), which costs
//! a pass over all rows for each doubling. Here the list is cut instead, as section 5.2 proposes for
//! the future: some rows are marked as *starts*, walks run from each start to the next one, and
//! their pieces are put in order at the end. Every row is visited once. A thread advances
//! sixteen walks in lockstep, so that sixteen memory accesses are in flight at once, and
//! threads share the starts.
//!
//! A link is 32 bits: the row it leads to, a mark, and the row's own symbol.

use crate::histogram::count_bytes;
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The longest block whose rows fit into a link.
pub const MAX_BLOCK: usize = (1 << 23) - 1;

/// Walks that one thread takes side by side.
const LANES: usize = 16;
/// Bytes that a walk writes before it needs another chunk.
const CHUNK: usize = 1 << 10;
/// Rows for each start: enough walks that the last ones to end do not run alone for long.
const ROWS_PER_START: usize = 1 << 10;

const ROW_SHIFT: u32 = 9;
const MARK: u32 = 1 << 8;

/// Restores a text from the last column of its sorted rotations and its row among them.
///
/// Any column and any row below its length give some text: a walk never leaves the column.
///
/// # Panics
///
/// If `origin` is not a row, or the block is longer than [`MAX_BLOCK`].
///
/// ```
/// assert_eq!(zgram_bwt::inverse(b"pssmipissii", 4), b"mississippi");
/// ```
#[must_use]
pub fn inverse(last_column: &[u8], origin: usize) -> Vec<u8> {
    if last_column.is_empty() {
        assert_eq!(origin, 0, "the origin is a row");
        return Vec::new();
    }
    let mut links = Vec::new();
    link_in_parallel(last_column, &mut links);
    let starts = Starts::mark(&links, origin);
    let share = starts.rows.len().div_ceil(rayon::current_num_threads());
    let walks: Vec<Walks> = starts
        .rows
        .par_chunks(share)
        .map(|rows| Walks::run(&links, rows, vec![0; scratch_len(last_column.len() / 2)]))
        .collect();
    let mut text = Vec::with_capacity(last_column.len());
    for (part, range) in in_order(&walks, &starts, share, last_column.len()) {
        text.extend_from_slice(&walks[part].bytes[range]);
    }
    repeat_to(&mut text, last_column.len());
    text
}

/// Reusable working memory of the inverse transform on one thread: four bytes per symbol.
#[derive(Debug, Default)]
pub struct Unsorter {
    links: Vec<AtomicU32>,
}

impl Unsorter {
    /// Restores a text as [`inverse`] does, on the calling thread. The text is written into the
    /// memory of the column.
    ///
    /// # Panics
    ///
    /// If `origin` is not a row, or the block is longer than [`MAX_BLOCK`].
    pub fn restore(&mut self, last_column: Vec<u8>, origin: usize) -> Pieces {
        let len = last_column.len();
        if len == 0 {
            assert_eq!(origin, 0, "the origin is a row");
            return Pieces::default();
        }
        link(&last_column, &mut self.links);
        let starts = Starts::mark(&self.links, origin);
        let mut scratch = last_column;
        scratch.resize(scratch_len(len), 0);
        let walks = Walks::run(&self.links, &starts.rows, scratch);
        let order: Vec<_> = in_order(std::slice::from_ref(&walks), &starts, usize::MAX, len)
            .map(|(_, range)| range)
            .collect();
        let pieces = Pieces { bytes: walks.bytes, order };
        if pieces.slices().map(<[u8]>::len).sum::<usize>() == len {
            return pieces;
        }
        let mut text: Vec<u8> = pieces.slices().flatten().copied().collect();
        repeat_to(&mut text, len);
        Pieces::whole(text)
    }
}

/// A restored text, in pieces that need not lie in order.
#[derive(Debug, Default)]
pub struct Pieces {
    bytes: Vec<u8>,
    order: Vec<Range<usize>>,
}

impl Pieces {
    /// A text in one piece.
    pub(crate) fn whole(text: Vec<u8>) -> Self {
        let whole = 0..text.len();
        Self { order: vec![whole], bytes: text }
    }

    /// The pieces, in order.
    pub fn slices(&self) -> impl Iterator<Item = &[u8]> {
        self.order.iter().map(|range| &self.bytes[range.clone()])
    }

    /// The piece with this number.
    pub(crate) fn get(&self, piece: usize) -> Option<&[u8]> {
        Some(&self.bytes[self.order.get(piece)?.clone()])
    }

    /// Gives back the memory for another block.
    pub(crate) fn into_memory(self) -> Vec<u8> {
        self.bytes
    }

    /// Changes the byte at each of these places of the text; they rise.
    pub(crate) fn flip_lowest_bits(&mut self, mut places: impl Iterator<Item = usize>) {
        let (mut start, mut next) = (0, places.next());
        for range in &self.order {
            while let Some(place) = next.filter(|&place| place < start + range.len()) {
                self.bytes[range.start + place - start] ^= 1;
                next = places.next();
            }
            start += range.len();
        }
    }
}

/// A text that repeats itself is a shorter list walked several times.
fn repeat_to(text: &mut Vec<u8>, len: usize) {
    while text.len() < len {
        let more = text.len().min(len - text.len());
        text.extend_from_within(..more);
    }
}

/// Bytes that walks need to write `len` bytes in chunks; the last chunk absorbs what idle
/// lanes write.
pub(crate) fn scratch_len(len: usize) -> usize {
    len + (LANES + 2) * CHUNK
}

/// Where each symbol's rows begin: rows are sorted, so it is the number of smaller symbols.
fn first_rows(counts: &[u32; 256]) -> [u32; 256] {
    let mut sum = 0;
    counts.map(|count| {
        sum += count;
        sum - count
    })
}

fn resize(links: &mut Vec<AtomicU32>, rows: usize) {
    assert!(rows <= MAX_BLOCK, "a block of {rows} bytes is longer than {MAX_BLOCK}");
    links.reserve_exact((rows + 1).saturating_sub(links.len()));
    links.resize_with(rows + 1, || AtomicU32::new(0));
    // Idle lanes stay on an extra row after the last one, which points to itself.
    links[rows].store((rows as u32) << ROW_SHIFT, Relaxed);
}

/// Links all rows. The i-th row that begins with a symbol is the one that the i-th occurrence of
/// this symbol in the last column leads back to.
fn link(last_column: &[u8], links: &mut Vec<AtomicU32>) {
    resize(links, last_column.len());
    let next = first_rows(&count_bytes(last_column));
    link_part(last_column, 0..last_column.len(), next, links);
}

/// Links the rows that a part of the last column leads back to, given where they begin.
fn link_part(last_column: &[u8], part: Range<usize>, mut next: [u32; 256], links: &[AtomicU32]) {
    for (row, &symbol) in part.clone().zip(&last_column[part]) {
        let from = next[usize::from(symbol)] as usize;
        next[usize::from(symbol)] += 1;
        let own = u32::from(last_column[from]);
        links[from].store((row as u32) << ROW_SHIFT | own, Relaxed);
    }
}

/// Links all rows, each thread those of its part of the column. Parts are counted first; sums of
/// the counts say where the rows of each part begin.
fn link_in_parallel(last_column: &[u8], links: &mut Vec<AtomicU32>) {
    resize(links, last_column.len());
    let share = last_column.len().div_ceil(rayon::current_num_threads());
    let counts: Vec<_> = last_column.par_chunks(share).map(count_bytes).collect();
    let mut totals = [0; 256];
    for part in &counts {
        totals.iter_mut().zip(part).for_each(|(total, count)| *total += count);
    }
    let mut next = first_rows(&totals);
    let parts: Vec<_> = counts
        .into_iter()
        .enumerate()
        .map(|(part, counts)| {
            let begin = next;
            next.iter_mut().zip(counts).for_each(|(next, count)| *next += count);
            (part * share..last_column.len().min((part + 1) * share), begin)
        })
        .collect();
    let links = &links[..];
    parts.into_par_iter().for_each(|(part, next)| link_part(last_column, part, next, links));
}

/// Rows where walks start: one is the first of the text, the others lie anywhere.
struct Starts {
    /// Sorted.
    rows: Vec<u32>,
    first: u32,
}

impl Starts {
    /// Chooses starts and marks them.
    fn mark(links: &[AtomicU32], origin: usize) -> Self {
        let n = links.len() - 1;
        assert!(origin < n, "the origin is a row");
        let first = links[origin].load(Relaxed) >> ROW_SHIFT;
        let mut rows: Vec<u32> = (0..n).step_by(ROWS_PER_START).map(|row| row as u32).collect();
        if let Err(place) = rows.binary_search(&first) {
            rows.insert(place, first);
        }
        for &row in &rows {
            links[row as usize].fetch_or(MARK, Relaxed);
        }
        Self { rows, first }
    }

    fn number_of(&self, row: u32) -> usize {
        self.rows.binary_search(&row).expect("walks end at starts")
    }
}

/// The bytes that walks from some of the starts wrote.
struct Walks {
    bytes: Vec<u8>,
    /// Where they wrote, walk by walk.
    pieces: Vec<Piece>,
    /// The start where each walk ended.
    ends: Vec<u32>,
}

/// Bytes that a walk wrote in one place.
#[derive(Clone, Copy)]
struct Piece {
    walk: u32,
    begin: u32,
    end: u32,
}

impl Piece {
    fn range(self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }
}

/// One of the walks under way.
#[derive(Clone, Copy)]
struct Lane {
    walk: usize,
    /// Where in `bytes` the walk's bytes in the current chunk begin.
    begin: usize,
    chunk_end: usize,
}

impl Lane {
    /// What the walk has written in the current chunk.
    fn piece(self, end: usize) -> Piece {
        Piece { walk: self.walk as u32, begin: self.begin as u32, end: end as u32 }
    }
}

impl Walks {
    /// The pieces of a walk.
    fn of(&self, walk: usize) -> &[Piece] {
        let from = self.pieces.partition_point(|piece| (piece.walk as usize) < walk);
        let len = self.pieces[from..].partition_point(|piece| piece.walk as usize == walk);
        &self.pieces[from..from + len]
    }

    /// Walks from each of the rows to the next start, [`LANES`] at a time.
    fn run(links: &[AtomicU32], rows: &[u32], mut bytes: Vec<u8>) -> Self {
        let idle = (links.len() - 1) as u32;
        // All in one list, not one for each walk: they are many, and most have one piece.
        let mut pieces = Vec::with_capacity(rows.len() + bytes.len() / CHUNK);
        let mut ends = vec![0; rows.len()];
        let mut waiting = rows.iter().enumerate();
        let mut next_chunk = CHUNK;
        let mut lanes = [Lane { walk: usize::MAX, begin: 0, chunk_end: 0 }; LANES];
        let mut row = [idle; LANES];
        let mut at = [0; LANES];
        loop {
            // Idle lanes take the next walk, or write into a chunk that is never read.
            let mut steps = CHUNK;
            let mut busy = false;
            for lane in 0..LANES {
                if row[lane] == idle {
                    if let Some((walk, &start)) = waiting.next() {
                        if at[lane] >= lanes[lane].chunk_end {
                            at[lane] = take_chunk(&mut next_chunk, &mut bytes);
                            lanes[lane].chunk_end = next_chunk;
                        }
                        lanes[lane].walk = walk;
                        lanes[lane].begin = at[lane];
                        // A start is marked, so its own step is made here.
                        let link = links[start as usize].load(Relaxed);
                        bytes[at[lane]] = link as u8;
                        at[lane] += 1;
                        row[lane] = link >> ROW_SHIFT;
                    } else {
                        at[lane] = 0;
                        continue;
                    }
                }
                busy = true;
                if at[lane] == lanes[lane].chunk_end {
                    pieces.push(lanes[lane].piece(at[lane]));
                    at[lane] = take_chunk(&mut next_chunk, &mut bytes);
                    lanes[lane].begin = at[lane];
                    lanes[lane].chunk_end = next_chunk;
                }
                steps = steps.min(lanes[lane].chunk_end - at[lane]);
            }
            if !busy {
                // Stable: the pieces of a walk stay in order.
                pieces.sort_by_key(|piece| piece.walk);
                return Self { bytes, pieces, ends };
            }
            let marks = step_all(links, &mut row, &mut at, &mut bytes, steps);
            for lane in (0..LANES).filter(|&lane| marks[lane]) {
                let Lane { walk, begin, .. } = lanes[lane];
                if begin < at[lane] {
                    pieces.push(lanes[lane].piece(at[lane]));
                }
                ends[walk] = row[lane];
                row[lane] = idle;
            }
        }
    }
}

/// Takes up to `steps` steps on all lanes; fewer if one of them reaches a start. Returns which did.
fn step_all(
    links: &[AtomicU32],
    row: &mut [u32; LANES],
    at: &mut [usize; LANES],
    bytes: &mut [u8],
    steps: usize,
) -> [bool; LANES] {
    let mut link = [0; LANES];
    for step in 0..steps {
        let mut any = 0;
        for lane in 0..LANES {
            link[lane] = links[row[lane] as usize].load(Relaxed);
            any |= link[lane];
        }
        if any & MARK != 0 {
            at.iter_mut().for_each(|at| *at += step);
            return link.map(|link| link & MARK != 0);
        }
        for lane in 0..LANES {
            bytes[at[lane] + step] = link[lane] as u8;
            row[lane] = link[lane] >> ROW_SHIFT;
        }
    }
    at.iter_mut().for_each(|at| *at += steps);
    [false; LANES]
}

/// Chunks lie one after the other; the first is where idle lanes write.
fn take_chunk(next: &mut usize, bytes: &mut Vec<u8>) -> usize {
    let start = *next;
    *next += CHUNK;
    if bytes.len() < *next {
        bytes.resize(*next, 0);
    }
    start
}

/// The pieces of the text in order, as part and range; once around if the list closes early.
fn in_order(
    walks: &[Walks],
    starts: &Starts,
    share: usize,
    len: usize,
) -> impl Iterator<Item = (usize, Range<usize>)> {
    let first = starts.number_of(starts.first);
    let mut next = Some(first);
    let mut left = len;
    std::iter::from_fn(move || {
        let number = next?;
        let (part, walk) = (number / share, number % share);
        let after = starts.number_of(walks[part].ends[walk]);
        next = (after != first).then_some(after);
        Some((part, walks[part].of(walk)))
    })
    .flat_map(|(part, pieces)| pieces.iter().map(move |piece| (part, piece.range())))
    .map_while(move |(part, range)| {
        left = left.checked_sub(range.len())?;
        Some((part, range))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transform::forward;
    use proptest::prelude::*;

    fn check(text: &[u8]) {
        let transformed = forward(text);
        assert_eq!(inverse(&transformed.last_column, transformed.origin), text);
        let mut unsorter = Unsorter::default();
        for _ in 0..2 {
            let pieces = unsorter.restore(transformed.last_column.clone(), transformed.origin);
            assert!(pieces.slices().flatten().eq(text));
        }
    }

    #[test]
    fn the_worked_examples() {
        // Figures 3.3 and 3.5.
        assert_eq!(inverse(b"ccbbbaaaaa", 0), b"ababacabac");
        assert_eq!(inverse(b"pssmipissii", 4), b"mississippi");
    }

    #[test]
    fn long_tied_and_repeated_texts() {
        for len in [1, 2, 1000, 1024, 1025, 40_000] {
            check(&vec![b'a'; len]);
            check(&b"ab".repeat(len));
            check(&(0..len).map(|i| (i * i / 7) as u8).collect::<Vec<_>>());
            let mut text = vec![b'a'; len];
            text[len / 2] = b'b';
            check(&text);
        }
        check(
            &(0..500_000u32)
                .map(|i| (i.wrapping_mul(2_654_435_761) >> 29) as u8)
                .collect::<Vec<_>>(),
        );
    }

    #[test]
    fn bits_are_flipped_at_places_of_the_text() {
        let transformed = forward(&[b'a'; 5000]);
        let mut pieces = Unsorter::default().restore(transformed.last_column, 0);
        pieces.flip_lowest_bits([0, 7, 4999].into_iter());
        let flipped: Vec<_> = pieces.slices().flatten().copied().collect();
        let places: Vec<_> = (0..5000).filter(|&place| flipped[place] == b'`').collect();
        assert_eq!(places, [0, 7, 4999]);
    }

    proptest! {
        #[test]
        fn what_was_transformed_comes_back(text in proptest::collection::vec(0u8..5, 0..6000)) {
            check(&text);
        }

        #[test]
        fn any_column_gives_some_text(
            column in proptest::collection::vec(any::<u8>(), 1..3000), origin in 0usize..3000,
        ) {
            let origin = origin % column.len();
            let text = inverse(&column, origin);
            prop_assert_eq!(text.len(), column.len());
            let pieces = Unsorter::default().restore(column, origin);
            prop_assert!(pieces.slices().flatten().eq(&text));
        }
    }
}
