//! Reads a bzip2 file, several blocks at a time.

use super::accelerator::Accelerator;
use super::ahead::Ahead;
use super::crc::combine;
use super::decode::{BlockError, take_magic};
use super::error::Error;
use super::runs::Unpacker;
use super::{BLOCK_MAGIC, MAGIC_BITS, TAIL_MAGIC};
use crate::bits::BitReader;
use crate::inverse::Pieces;
use std::io::{self, Read};
use std::sync::Arc;

/// Decompresses a bzip2 file: one or more streams, one after the other.
///
/// Accepts and refuses what bzip2 does. A block's text is returned only after its checksum was
/// verified. Bytes after the last stream that do not look like another stream are ignored, and
/// [`has_trailing_garbage`](Self::has_trailing_garbage) reports them.
///
/// Errors are [`Error`]s inside [`io::Error`]s.
///
/// ```
/// use std::io::{Read, Write};
/// use zgram_bwt::bzip2::{Reader, Writer, WriterOptions};
///
/// let mut writer = Writer::new(Vec::new(), WriterOptions::default());
/// writer.write_all(b"mississippi")?;
/// let compressed = writer.finish()?;
/// let mut text = String::new();
/// Reader::new(&compressed[..], 2).read_to_string(&mut text)?;
/// assert_eq!(text, "mississippi");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    ahead: Ahead<R>,
    /// The bit that comes next.
    position: u64,
    state: State,
    /// The checksum of the stream so far.
    crc: u32,
    level: u8,
    streams: u64,
    blocks: u64,
    has_trailing_garbage: bool,
    current: Option<Current>,
}

/// What is expected next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A stream, or the end of the file.
    Head,
    /// A block, or the end of the stream.
    Block,
    /// Nothing any more.
    End,
    /// Nothing: an error has been reported.
    Failed,
}

/// The block being returned.
#[derive(Debug)]
struct Current {
    pieces: Pieces,
    piece: usize,
    /// How much of the piece is done.
    done: usize,
    unpacker: Unpacker,
}

impl<R: Read> Reader<R> {
    /// A reader that uses this many threads, or as many as the system starts; 0 means one per core.
    /// With 1, the caller's thread does all.
    pub fn new(input: R, threads: usize) -> Self {
        Self {
            ahead: Ahead::new(input, threads),
            position: 0,
            state: State::Head,
            crc: 0,
            level: 0,
            streams: 0,
            blocks: 0,
            has_trailing_garbage: false,
            current: None,
        }
    }

    /// Runs the stages that an accelerator can do on it. If it fails, reading fails.
    #[must_use]
    pub fn with_accelerator(mut self, accelerator: Arc<dyn Accelerator>) -> Self {
        self.ahead.accelerate(accelerator);
        self
    }

    /// Whether bytes that are not a bzip2 stream follow the last one. Known only at the end.
    #[must_use]
    pub fn has_trailing_garbage(&self) -> bool {
        self.has_trailing_garbage
    }

    /// Makes the next block current. Returns whether there is one.
    fn next_block(&mut self) -> Result<bool, Error> {
        loop {
            match self.state {
                State::Head => self.take_head()?,
                State::Block => {
                    if self.take_block_or_tail()? {
                        return Ok(true);
                    }
                }
                State::End => return Ok(false),
                State::Failed => return Err(io::Error::other("reading has failed before").into()),
            }
        }
    }

    fn take_head(&mut self) -> Result<(), Error> {
        let head = self.ahead.peek(self.position / 8, 4)?;
        if head.is_empty() && self.streams > 0 {
            self.state = State::End;
            return Ok(());
        }
        let is_right = |(place, &byte): (usize, &u8)| match place {
            3 => (b'1'..=b'9').contains(&byte),
            _ => byte == b"BZh"[place],
        };
        if !head.iter().enumerate().all(is_right) {
            if self.streams == 0 {
                return Err(Error::Foreign);
            }
            self.has_trailing_garbage = true;
            self.state = State::End;
            return Ok(());
        }
        let Some(&level) = head.get(3) else { return Err(self.truncated()) };
        self.level = level - b'0';
        self.crc = 0;
        self.position += 32;
        self.state = State::Block;
        Ok(())
    }

    /// Returns whether it was a block.
    fn take_block_or_tail(&mut self) -> Result<bool, Error> {
        let bytes = self.ahead.peek(self.position / 8, 11)?;
        let available = bytes.len() as u64 * 8 - (self.position % 8).min(bytes.len() as u64 * 8);
        let mut bits = BitReader::at(&bytes, self.position % 8);
        let magic = take_magic(&mut bits);
        let stored = bits.take(32);
        // If the file ends within a magic number, the part that is there must still match.
        let missing = u64::from(MAGIC_BITS).saturating_sub(available);
        let begins = |expected: u64| magic >> missing == expected >> missing;
        if !begins(BLOCK_MAGIC) && !begins(TAIL_MAGIC) {
            self.blocks += 1;
            return Err(self.damaged("it begins with no magic number"));
        }
        if missing > 0 || magic == TAIL_MAGIC && available < 80 {
            return Err(self.truncated());
        }
        if magic == TAIL_MAGIC {
            self.position = (self.position + 80).next_multiple_of(8);
            if stored != self.crc {
                let (offset, computed) = (self.position / 8, self.crc);
                return Err(Error::StreamChecksum { offset, stored, computed });
            }
            self.streams += 1;
            self.state = State::Head;
            return Ok(false);
        }
        self.blocks += 1;
        let block = match self.ahead.block(self.position, self.level)? {
            Ok(block) => block,
            Err(BlockError::Truncated) => return Err(self.truncated()),
            Err(BlockError::Damaged(what)) => return Err(self.damaged(what)),
            Err(BlockError::Accelerator(why)) => return Err(io::Error::other(why).into()),
            Err(BlockError::Checksum { stored, computed }) => {
                let (block, offset, bit) = (self.blocks, self.position / 8, self.bit());
                return Err(Error::BlockChecksum { block, offset, bit, stored, computed });
            }
        };
        self.crc = combine(self.crc, block.crc);
        self.position = block.end;
        self.current = Some(Current {
            pieces: block.pieces,
            piece: 0,
            done: 0,
            unpacker: Unpacker::default(),
        });
        Ok(true)
    }

    fn truncated(&self) -> Error {
        Error::Truncated { offset: self.ahead.end(), block: self.blocks }
    }

    fn damaged(&self, what: &'static str) -> Error {
        let (block, offset, bit) = (self.blocks, self.position / 8, self.bit());
        Error::Damaged { block, offset, bit, what }
    }

    fn bit(&self) -> u8 {
        (self.position % 8) as u8
    }
}

impl Current {
    /// Copies text out. Returns how much; 0 at the end of the block.
    fn read(&mut self, out: &mut [u8]) -> usize {
        let mut written = 0;
        loop {
            // Repetitions may remain when all pieces are done.
            let mut rest = self.pieces.get(self.piece).map_or(&[][..], |piece| &piece[self.done..]);
            let before = rest.len();
            written += self.unpacker.unpack(&mut rest, &mut out[written..]);
            self.done += before - rest.len();
            let is_done = rest.is_empty();
            if !is_done || self.pieces.get(self.piece).is_none() {
                return written;
            }
            self.piece += 1;
            self.done = 0;
        }
    }
}

impl<R: Read> Read for Reader<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if out.is_empty() {
            return Ok(0);
        }
        loop {
            if let Some(current) = &mut self.current {
                let written = current.read(out);
                if written > 0 {
                    return Ok(written);
                }
            }
            if let Some(current) = self.current.take() {
                self.ahead.recycle(current.pieces.into_memory());
            }
            match self.next_block() {
                Ok(true) => {}
                Ok(false) => return Ok(0),
                Err(error) => {
                    self.state = State::Failed;
                    return Err(error.into());
                }
            }
        }
    }
}
