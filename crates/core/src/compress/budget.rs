//! Divides the memory ceiling among the parts of the work.

use crate::format::{GrammarKind, Sizes};
use std::sync::{Condvar, Mutex};

/// Bytes that building takes per token of a segment: the token, its copy that shrinks, the list of
/// pairs and their counts. Measured: 20 on books, 26 on logs.
const BUILD_BYTES: u64 = 28;

/// Bytes that a token of the segment being read takes.
const READ_BYTES: u64 = 4;

/// Bytes of text per token that automatic segments assume: 4.6 in books, 2.3 in logs.
const TEXT_BYTES: u64 = 3;

/// Bytes per byte of a text block: the text, its tokens, a table of the distinct ones. Any text but a
/// list of distinct short words takes less than half of this.
const BLOCK_BYTES: u64 = 8;

/// Largest automatic segment, in bytes of text. A reader loads the rules of a whole segment, so more
/// memory does not make segments larger than this.
const LARGEST_SEGMENT: u64 = 512 << 20;

/// Bytes that building a phrase index takes per word: the text and the suffix array, both overwritten,
/// and the section.
const PHRASES_BYTES: u64 = 14;

/// Limits that follow from the memory ceiling, and the memory that builders have reserved.
#[derive(Debug)]
pub(super) struct Budget {
    ceiling: u64,
    /// Bytes for all segments being built together.
    building: u64,
    /// Most tokens of a segment.
    pub(super) segment_tokens: usize,
    threads: usize,
    reserved: Mutex<Reserved>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct Reserved {
    bytes: u64,
    segments: usize,
}

impl Budget {
    /// Half of the ceiling is for segments being built and read, several at once if they are small.
    /// Three eighths are for tokens and names, which are held to the end and take as much again when
    /// they are sorted and written. The rest is for blocks of text and the program itself.
    ///
    /// If the input `has_lines` of JSON, long ones are held several times over; their share comes out
    /// of that for building.
    pub(super) fn new(ceiling: u64, threads: usize, has_lines: bool) -> Self {
        let for_lines = if has_lines { 4 * longest_line(ceiling) } else { 0 };
        let building = ceiling / 2 - for_lines;
        let segment_tokens = (building / (BUILD_BYTES + READ_BYTES)).clamp(1 << 12, 1 << 30);
        Self {
            ceiling,
            building,
            segment_tokens: segment_tokens as usize,
            threads,
            reserved: Mutex::default(),
            released: Condvar::new(),
        }
    }

    pub(super) fn ceiling(&self) -> u64 {
        self.ceiling
    }

    /// A segment ends before its envelopes take more bytes than this. Those of the segment being read
    /// and of the one being built, and a copy on the way to disk, are held at once. Packing them later
    /// takes six times as much, beside what the allocator still keeps of building.
    pub(super) fn envelopes(&self) -> u64 {
        self.ceiling / 32
    }

    /// How many text blocks of `bytes` each may wait to be tokenised. A single thread tokenises each
    /// block as soon as it is read. So do several threads when memory is short, because all other
    /// shares leave no room for blocks.
    pub(super) fn waiting_blocks(&self, bytes: usize) -> usize {
        let fitting = self.ceiling / 128 / (BLOCK_BYTES * bytes as u64);
        if self.threads == 1 { 0 } else { (2 * self.threads).min(fitting as usize) }
    }

    /// Bytes for what is held from the first document to the last.
    pub(super) fn held(&self) -> u64 {
        self.ceiling / 8 * 3
    }

    /// Waits until there is memory to build a segment with this many tokens and bytes of envelopes.
    /// One segment may always be built.
    pub(super) fn reserve(&self, tokens: usize, envelopes: u64) -> Reservation<'_> {
        let bytes = tokens as u64 * BUILD_BYTES + 2 * envelopes;
        let reserved = self.reserved.lock().expect("no holder panics");
        let mut reserved = self
            .released
            .wait_while(reserved, |reserved| {
                reserved.segments > 0
                    && (reserved.bytes + bytes > self.building || reserved.segments >= self.threads)
            })
            .expect("no holder panics");
        reserved.bytes += bytes;
        reserved.segments += 1;
        Reservation { budget: self, bytes }
    }
}

/// Memory for building one segment, released when dropped.
#[derive(Debug)]
pub(super) struct Reservation<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        // A panic elsewhere must not keep the memory: the counts are always consistent.
        let reserved = self.budget.reserved.lock();
        let mut reserved = reserved.unwrap_or_else(std::sync::PoisonError::into_inner);
        reserved.bytes -= self.bytes;
        reserved.segments -= 1;
        self.budget.released.notify_all();
    }
}

/// Most bytes of a JSON line under this ceiling. Up to three copies are held (the line read ahead, the
/// current one and its text), and its envelope once more.
pub(super) fn longest_line(ceiling: u64) -> u64 {
    ceiling / 64
}

/// Bytes of text that a segment may have, so that it can be built in its share of the ceiling.
///
/// Re-Pair builds one segment on all cores, so that share may go to a single segment. Sequitur uses one
/// core per segment, so two must fit.
pub(super) fn fitting_text(ceiling: u64, grammar: GrammarKind) -> u64 {
    let at_once = match grammar {
        GrammarKind::RePair => 1,
        GrammarKind::Sequitur => 2,
    };
    let text = ceiling / 2 / (BUILD_BYTES + READ_BYTES) * TEXT_BYTES / at_once;
    text.clamp(1, LARGEST_SEGMENT)
}

/// Bytes that encoding takes per symbol of a segment (the grammar twice, the input of each lane) and
/// per token and rule (ranks in both directions, entries of recency lists).
const ENCODE_BYTES: (u64, u64) = (24, 48);

/// Bytes that the second layer takes to pack a stream of any length.
const LAYER_BYTES: u64 = 64 << 20;

/// How many segments may be encoded at once: none is larger than `largest` or has more bytes of
/// `envelopes`, the dictionary has `vocabulary` tokens, and `held` bytes are in use already. One is
/// always allowed.
pub(super) fn encoders(
    ceiling: u64,
    held: u64,
    vocabulary: u64,
    largest: &Sizes,
    envelopes: u64,
    phrases: bool,
) -> usize {
    let (per_symbol, per_name) = ENCODE_BYTES;
    let names = (vocabulary + largest.rules) * per_name;
    let grammar = largest.symbols * per_symbol + names;
    // The grammar is dropped before envelopes are packed: bytes from disk, parsed, as streams, packed.
    let each = LAYER_BYTES
        + grammar.max(4 * envelopes).max(match phrases {
            true => PHRASES_BYTES * largest.text_words + 8 * largest.symbols,
            false => 0,
        });
    (ceiling.saturating_sub(held) / each).clamp(1, 1 << 16) as usize
}
