//! Reads ahead, and decodes blocks from each place where one seems to begin.

use super::accelerator::Accelerator;
use super::decode::{BlockError, DecodedBlock};
use super::pipeline::Pipeline;
use super::scan::{Magic, SPAN, find_magics};
use super::workshop::Workshop;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes read at a time.
const PORTION: usize = 1 << 14;
/// A block that has not ended after this many bytes is decoded only when the caller needs it. The largest that
/// encoders write takes 2.3 MB, and one of incompressible bytes 0.9 MB.
const LONGEST_GUESS: usize = 1 << 20;

/// Compressed bytes from the current position on, and the later blocks that are being decoded.
///
/// The bytes of a block under way are shared with the thread that decodes it, and kept until the current
/// position has passed them: a block that seemed to end may continue in them.
#[derive(Debug)]
pub(crate) struct Ahead<R> {
    input: R,
    /// The input of the blocks being decoded: each part begins at an offset of the input and ends at the
    /// next part, or a few bytes later.
    shared: VecDeque<(u64, Arc<Vec<u8>>)>,
    /// The bytes read after it.
    window: Vec<u8>,
    /// The offset of the window in the input.
    base: u64,
    /// Memory to reuse. Blocks differ in length, so allocating each anew would fragment the heap.
    spare: Vec<Vec<u8>>,
    has_ended: bool,
    /// How much of the window has been searched for magic numbers.
    searched: usize,
    /// Where blocks or tails seem to begin that are not being decoded yet.
    magics: VecDeque<Magic>,
    /// The bit of the last magic number found.
    last_found: Option<u64>,
    /// The first bits of blocks being decoded, and the level assumed.
    guesses: VecDeque<(u64, u8)>,
    pipeline: Pipeline<Result<DecodedBlock, BlockError>>,
    workshop: Arc<Workshop>,
}

impl<R: Read> Ahead<R> {
    pub(crate) fn new(input: R, threads: usize) -> Self {
        let pipeline = Pipeline::new(threads, 0);
        let workshop = Arc::new(Workshop::new(pipeline.threads(), None));
        Self {
            input,
            shared: VecDeque::new(),
            window: Vec::new(),
            base: 0,
            spare: Vec::new(),
            has_ended: false,
            searched: 0,
            magics: VecDeque::new(),
            last_found: None,
            guesses: VecDeque::new(),
            pipeline,
            workshop,
        }
    }

    /// Lets an accelerator do the stages it can do of blocks that are not yet begun.
    pub(crate) fn accelerate(&mut self, accelerator: Arc<dyn Accelerator>) {
        self.workshop = Arc::new(Workshop::new(self.pipeline.threads(), Some(accelerator)));
    }

    /// Copies up to `len` bytes from an offset on; meant for few bytes. Bytes before the offset are
    /// discarded.
    pub(crate) fn peek(&mut self, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        self.give_up_before(offset);
        while self.end() < offset + len as u64 && self.read_more()? {}
        let mut bytes = Vec::with_capacity(len);
        let shared = self.shared.iter().map(|(start, bytes)| (*start, &bytes[..]));
        for (start, part) in shared.chain([(self.base, &self.window[..])]) {
            let next = offset + bytes.len() as u64;
            let rest = next.checked_sub(start).and_then(|skipped| part.get(skipped as usize..));
            let rest = rest.unwrap_or_default();
            bytes.extend_from_slice(&rest[..rest.len().min(len - bytes.len())]);
        }
        Ok(bytes)
    }

    /// The offset after the last byte read.
    pub(crate) fn end(&self) -> u64 {
        self.base + self.window.len() as u64
    }

    /// Decodes the block that begins at a bit of the input, at which there is a magic number.
    pub(crate) fn block(
        &mut self,
        position: u64,
        level: u8,
    ) -> io::Result<Result<DecodedBlock, BlockError>> {
        self.give_up_before(position / 8);
        self.guess(position, level)?;
        while let Some(&(begin, assumed)) = self.guesses.front().filter(|guess| guess.0 <= position)
        {
            self.guesses.pop_front();
            let decoded = self.pipeline.next().expect("every guess has a task");
            // A magic number that occurs by chance cuts a block short; the block is decoded again as a whole.
            let is_cut = decoded.as_ref().is_err_and(|error| *error == BlockError::Truncated);
            if begin == position && assumed == level && !is_cut {
                // The free thread gets its next block only when the caller is done with this
                // one: until then the caller uses its core, and the next block would use memory.
                return Ok(decoded);
            }
            decoded.into_iter().for_each(|block| self.recycle(block.pieces.into_memory()));
        }
        self.decode_here(position, level)
    }

    /// Takes back a block's memory.
    pub(crate) fn recycle(&self, column: Vec<u8>) {
        self.workshop.recycle(column);
    }

    /// Decodes a block on this thread and reads as much as it needs.
    fn decode_here(
        &mut self,
        position: u64,
        level: u8,
    ) -> io::Result<Result<DecodedBlock, BlockError>> {
        self.join();
        let start = (position / 8 - self.base) as usize;
        let mut wanted = LONGEST_GUESS;
        loop {
            while self.window.len() < start + wanted && self.read_more()? {}
            let bytes = &self.window[start..];
            match self.workshop.decode(bytes, position % 8, level) {
                Err(BlockError::Truncated) if bytes.len() >= wanted => wanted *= 2,
                decoded => return Ok(decoded.map(|block| block.later_by(position / 8 * 8))),
            }
        }
    }

    /// Moves the shared bytes back in front of the window.
    fn join(&mut self) {
        while let Some((start, bytes)) = self.shared.pop_back() {
            let until = (self.base - start) as usize;
            self.window.splice(..0, bytes[..until].iter().copied());
            self.searched += until;
            self.base = start;
        }
    }

    /// Begins to decode blocks from this place on, as many as threads can take.
    fn guess(&mut self, position: u64, level: u8) -> io::Result<()> {
        while !self.pipeline.is_full() {
            let Some(begin) = self.next_begin(position)? else { return Ok(()) };
            let from = (begin / 8 - self.base) as usize;
            while self.magics.is_empty()
                && self.window.len() - from < LONGEST_GUESS
                && self.read_more()?
            {}
            let (bytes, offset) = self.share();
            let workshop = Arc::clone(&self.workshop);
            self.guesses.push_back((begin, level));
            self.pipeline.submit(move || {
                let decoded = workshop.decode(bytes, begin - 8 * offset, level);
                decoded.map(|block| block.later_by(8 * offset))
            });
        }
        Ok(())
    }

    /// Shares the window up to where the next block seems to begin, or all of it. Returns it with its
    /// offset.
    fn share(&mut self) -> (Arc<Vec<u8>>, u64) {
        let (end, next) = match self.magics.front() {
            Some(next) => (next.bit.div_ceil(8) - self.base, next.bit / 8 - self.base),
            // A number may have begun in the last bytes.
            None => (self.window.len() as u64, self.window.len().saturating_sub(SPAN) as u64),
        };
        let (end, next) = (end as usize, next as usize);
        let mut bytes = self.spare.pop().unwrap_or_default();
        bytes.clear();
        bytes.extend_from_slice(&self.window[..end]);
        let bytes = Arc::new(bytes);
        let shared = (Arc::clone(&bytes), self.base);
        self.shared.push_back((self.base, bytes));
        self.window.drain(..next);
        self.base += next as u64;
        // All that was read has been searched.
        self.searched = self.window.len();
        shared
    }

    /// The next place where a block seems to begin, not before `position`.
    fn next_begin(&mut self, position: u64) -> io::Result<Option<u64>> {
        loop {
            while let Some(Magic { bit, is_block }) = self.magics.pop_front() {
                if is_block && bit >= position {
                    return Ok(Some(bit));
                }
            }
            // Bytes without a magic number for that long are one large block, or no block at all.
            if self.window.len() >= LONGEST_GUESS || !self.read_more()? {
                return Ok(None);
            }
        }
    }

    /// Reads a portion and searches it. Returns whether there was any.
    fn read_more(&mut self) -> io::Result<bool> {
        if self.has_ended {
            return Ok(false);
        }
        let before = self.window.len();
        self.window.reserve(PORTION);
        (&mut self.input).take(PORTION as u64).read_to_end(&mut self.window)?;
        self.has_ended = self.window.len() < before + PORTION;
        // A magic number may lie across the border of two portions.
        let from = self.searched.saturating_sub(SPAN);
        let begin = (self.base + from as u64) * 8;
        for mut magic in find_magics(&self.window[from..]) {
            magic.bit += begin;
            if self.last_found.is_none_or(|last| last < magic.bit) {
                self.last_found = Some(magic.bit);
                self.magics.push_back(magic);
            }
        }
        self.searched = self.window.len();
        Ok(self.window.len() > before)
    }

    /// Drops the bytes before an offset, except where they share memory with later bytes.
    fn give_up_before(&mut self, offset: u64) {
        let next_start = |ahead: &Self| ahead.shared.get(1).map_or(ahead.base, |next| next.0);
        while !self.shared.is_empty() && next_start(self) <= offset {
            let bytes = self.shared.pop_front().and_then(|(_, bytes)| Arc::into_inner(bytes));
            // Not while a wrong guess is still being decoded.
            self.spare.extend(bytes);
        }
        if self.shared.is_empty() && offset > self.base {
            let gone = (offset - self.base) as usize;
            // Not for a few bytes, since this moves the others.
            if gone >= PORTION && gone <= self.searched {
                self.window.drain(..gone);
                self.searched -= gone;
                self.base = offset;
            }
        }
    }
}
