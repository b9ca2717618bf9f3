//! Reads ahead of what is wanted, and decodes blocks from wherever one seems to begin.

use super::accelerator::Accelerator;
use super::decode::{BlockError, DecodedBlock};
use super::pipeline::Pipeline;
use super::scan::{Magic, SPAN, find_magics};
use super::workshop::Workshop;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::Arc;

/// Bytes read at a time.
const PORTION: usize = 1 << 16;
/// A block that has not ended after so many bytes is decoded when its turn comes. The largest that
/// encoders write takes 2.3 MB, and one of incompressible bytes 0.9 MB.
const LONGEST_GUESS: usize = 1 << 20;

/// Compressed bytes from the present place on, and the blocks being decoded behind it.
#[derive(Debug)]
pub(crate) struct Ahead<R> {
    input: R,
    /// What has been read and is still wanted.
    window: Vec<u8>,
    /// The offset of the window in the input.
    base: u64,
    has_ended: bool,
    /// How much of the window has been searched for magic numbers.
    searched: usize,
    /// Where blocks or tails seem to begin that nobody is decoding yet.
    magics: VecDeque<Magic>,
    /// The bit of the last magic number found.
    last_found: Option<u64>,
    /// The first bits of blocks being decoded, and the level assumed.
    guesses: VecDeque<(u64, u8)>,
    pipeline: Pipeline<Result<DecodedBlock, BlockError>>,
    workshop: Arc<Workshop>,
}

impl<R: Read> Ahead<R> {
    pub(crate) fn new(input: R, threads: usize) -> io::Result<Self> {
        let pipeline = Pipeline::new(threads, 0)?;
        let workshop = Arc::new(Workshop::new(pipeline.threads(), None));
        Ok(Self {
            input,
            window: Vec::new(),
            base: 0,
            has_ended: false,
            searched: 0,
            magics: VecDeque::new(),
            last_found: None,
            guesses: VecDeque::new(),
            pipeline,
            workshop,
        })
    }

    /// Lets an accelerator do the stages it can do of blocks that are not yet begun.
    pub(crate) fn accelerate(&mut self, accelerator: Arc<dyn Accelerator>) {
        self.workshop = Arc::new(Workshop::new(self.pipeline.threads(), Some(accelerator)));
    }

    /// The bytes from a byte on, `len` of them or all that are left. What is before is given up.
    pub(crate) fn bytes(&mut self, offset: u64, len: usize) -> io::Result<&[u8]> {
        self.give_up_before(offset);
        let start = (offset - self.base) as usize;
        while self.window.len() < start + len && self.read_more()? {}
        let end = self.window.len().min(start + len);
        Ok(&self.window[start.min(end)..end])
    }

    /// The offset behind the last byte read.
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
            // A block that a magic number by chance has cut short is decoded again, whole.
            let is_cut = decoded.as_ref().is_err_and(|error| *error == BlockError::Truncated);
            if begin == position && assumed == level && !is_cut {
                let decoded = decoded.map(|block| block.later_by(begin / 8 * 8));
                // The thread that is free now gets work before the caller has any.
                if self.pipeline.threads() > 1 {
                    if let Ok(block) = &decoded {
                        self.give_up_before(block.end / 8);
                    }
                    self.guess(position, level)?;
                }
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

    /// Decodes a block on this thread, reading as much as it takes.
    fn decode_here(
        &mut self,
        position: u64,
        level: u8,
    ) -> io::Result<Result<DecodedBlock, BlockError>> {
        let mut wanted = LONGEST_GUESS;
        loop {
            let bytes = self.bytes(position / 8, wanted)?;
            let is_all = bytes.len() < wanted;
            let bytes = &self.window[(position / 8 - self.base) as usize..];
            match self.workshop.decode(bytes, position % 8, level) {
                Err(BlockError::Truncated) if !is_all => wanted *= 2,
                decoded => return Ok(decoded.map(|block| block.later_by(position / 8 * 8))),
            }
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
            let end = match self.magics.front() {
                Some(next) => (next.bit.div_ceil(8) - self.base) as usize,
                None => self.window.len(),
            };
            let bytes = self.window[from..end].to_vec();
            let workshop = Arc::clone(&self.workshop);
            self.guesses.push_back((begin, level));
            self.pipeline.submit(move || workshop.decode(bytes, begin % 8, level));
        }
        Ok(())
    }

    /// The next place where a block seems to begin, not before `position`.
    fn next_begin(&mut self, position: u64) -> io::Result<Option<u64>> {
        loop {
            while let Some(Magic { bit, is_block }) = self.magics.pop_front() {
                if is_block && bit >= position {
                    return Ok(Some(bit));
                }
            }
            if !self.read_more()? {
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

    /// Forgets the bytes before an offset; not at every call, as it moves the others.
    fn give_up_before(&mut self, offset: u64) {
        let gone = (offset - self.base) as usize;
        if gone >= PORTION && gone <= self.searched {
            self.window.drain(..gone);
            self.searched -= gone;
            self.base = offset;
        }
    }
}
