//! The memory ceiling, shared out among segments.

use crate::format::Sizes;
use std::sync::{Condvar, Mutex};

/// Bytes that building takes for each token of a segment: the token itself, its copy that shrinks,
/// the list of pairs and their counts. Measured: 20 on books, 26 on logs.
const BUILD_BYTES: u64 = 28;

/// Tokens of the segment being read.
const READ_BYTES: u64 = 4;

/// Bytes for each byte of a batch of text: itself, its tokens, a table of those that differ. Less than
/// half of it on any text but lists of short words that differ.
const BATCH_BYTES: u64 = 8;

/// Hands out memory for building segments and blocks when there is none left.
#[derive(Debug)]
pub(super) struct Budget {
    ceiling: u64,
    /// Bytes for segments being built, all together.
    building: u64,
    /// Most tokens a segment may have.
    pub(super) segment_tokens: usize,
    /// Bytes of text a segment should have.
    pub(super) segment_size: u64,
    threads: usize,
    state: Mutex<InUse>,
    freed: Condvar,
}

#[derive(Debug, Default)]
struct InUse {
    bytes: u64,
    segments: usize,
}

impl Budget {
    /// Half of the ceiling is for segments being built and read, several at once if they are small;
    /// three eighths for tokens and names, which are held to the end and take as much again when
    /// they are put in order and written; the rest for blocks of text and the program itself.
    pub(super) fn new(ceiling: u64, segment_size: u64, threads: usize) -> Self {
        let building = ceiling / 2;
        let segment_tokens = (building / (BUILD_BYTES + READ_BYTES)).clamp(1 << 12, 1 << 30);
        Self {
            ceiling,
            building,
            segment_tokens: segment_tokens as usize,
            segment_size: segment_size.clamp(1, 1 << 32),
            threads,
            state: Mutex::default(),
            freed: Condvar::new(),
        }
    }

    pub(super) fn ceiling(&self) -> u64 {
        self.ceiling
    }

    /// A segment ends when its envelopes take more bytes than this: those of the segment being read
    /// and of the one being built, and once more on their way to disk, are held at once. To pack them
    /// later takes six times as much, beside what the allocator still keeps of building.
    pub(super) fn envelopes(&self) -> u64 {
        self.ceiling / 32
    }

    /// Most bytes of a JSON line. Three lines are held at once (the one read ahead, the current one
    /// and its text), and its envelope must fit the share of [`envelopes`](Self::envelopes).
    pub(super) fn longest_line(&self) -> u64 {
        self.ceiling / 32
    }

    /// How many batches of text of so many bytes may wait to be cut into tokens. One thread by itself
    /// cuts what it has read, and so does one of several where memory is short: all other shares of
    /// it are reckoned without batches.
    pub(super) fn batches(&self, bytes: usize) -> usize {
        let fitting = self.ceiling / 128 / (BATCH_BYTES * bytes as u64);
        if self.threads == 1 { 0 } else { (2 * self.threads).min(fitting as usize) }
    }

    /// Bytes for what is held from the first document to the last.
    pub(super) fn held(&self) -> u64 {
        self.ceiling / 8 * 3
    }

    /// Waits until a segment of so many tokens, and bytes of envelopes, may be built. One is always
    /// allowed.
    pub(super) fn take(&self, tokens: usize, envelopes: u64) -> Share<'_> {
        let bytes = tokens as u64 * BUILD_BYTES + 2 * envelopes;
        let state = self.state.lock().expect("no holder panics");
        let mut state = self
            .freed
            .wait_while(state, |state| {
                state.segments > 0
                    && (state.bytes + bytes > self.building || state.segments >= self.threads)
            })
            .expect("no holder panics");
        state.bytes += bytes;
        state.segments += 1;
        Share { budget: self, bytes }
    }
}

/// Bytes that encoding takes for each symbol of a segment, and for each token and rule: the grammar
/// twice, what each lane is to say; ranks both ways, entries of recency lists.
const ENCODE_BYTES: (u64, u64) = (24, 48);

/// Bytes that packing a stream of any length takes in the second layer.
const LAYER_BYTES: u64 = 64 << 20;

/// How many segments of these sizes, and bytes of envelopes, may be encoded at once, with `vocabulary`
/// tokens, if `held` bytes are taken already. One is always allowed.
pub(super) fn encoders(
    ceiling: u64,
    held: u64,
    vocabulary: u64,
    largest: &Sizes,
    envelopes: u64,
) -> usize {
    let (a_symbol, a_name) = ENCODE_BYTES;
    let names = (vocabulary + largest.rules) * a_name;
    let grammar = largest.symbols * a_symbol + names;
    // The grammar is gone when envelopes come: as they are on disk, in memory, as streams and packed.
    let each = LAYER_BYTES + grammar.max(4 * envelopes);
    (ceiling.saturating_sub(held) / each).clamp(1, 1 << 16) as usize
}

/// Memory for building one segment, given back when dropped.
#[derive(Debug)]
pub(super) struct Share<'a> {
    budget: &'a Budget,
    bytes: u64,
}

impl Drop for Share<'_> {
    fn drop(&mut self) {
        // A panic elsewhere must not keep the memory: the counts are always consistent.
        let mut state = self.budget.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        state.bytes -= self.bytes;
        state.segments -= 1;
        self.budget.freed.notify_all();
    }
}
