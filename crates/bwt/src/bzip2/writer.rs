//! Writes a bzip2 file, several blocks at a time.

use super::accelerator::{Accelerator, Failure};
use super::crc::combine;
use super::encode::{EncodedBlock, Encoder, put_magic};
use super::pipeline::Pipeline;
use super::runs::Packer;
use super::{BLOCK_UNIT, TAIL_MAGIC};
use crate::bits::BitWriter;
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};

/// Bytes left free at the end of a block, as in bzip2.
const MARGIN: usize = 19;
/// Blocks queued for the threads, so that a thread that is done need not wait for the next block or for
/// an older block that takes longer.
const IN_LINE: usize = 1;
/// Bytes of a block that are shifted to its first bit at a time.
const PORTION: usize = 1 << 15;

/// How to write a bzip2 file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriterOptions {
    /// 1 to 9: the size of blocks in units of 100,000 bytes.
    pub level: u8,
    /// Threads to work with; 0 means one per core. With 1, the caller's thread does all the work.
    pub threads: usize,
}

impl Default for WriterOptions {
    fn default() -> Self {
        Self { level: 9, threads: 0 }
    }
}

/// Compresses what is written to it into a bzip2 stream.
///
/// The bytes do not depend on the number of threads. Call [`finish`](Self::finish): a writer dropped
/// without it leaves an incomplete stream.
///
/// ```
/// use std::io::Write;
/// use zgram_bwt::bzip2::{Writer, WriterOptions};
///
/// let mut writer = Writer::new(Vec::new(), WriterOptions::default());
/// writer.write_all(b"mississippi")?;
/// let compressed = writer.finish()?;
/// assert!(compressed.starts_with(b"BZh9"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    inner: W,
    bits: BitWriter,
    packer: Packer,
    capacity: usize,
    pipeline: Pipeline<Result<EncodedBlock, Failure>>,
    encoders: Arc<Mutex<Vec<Encoder>>>,
    accelerator: Option<Arc<dyn Accelerator>>,
    crc: u32,
    /// Memory of blocks that are done.
    spare: Vec<Vec<u8>>,
}

impl<W: Write> Writer<W> {
    /// A stream that begins at the current position of `inner`.
    ///
    /// # Panics
    ///
    /// If the level is not 1 to 9.
    pub fn new(inner: W, options: WriterOptions) -> Self {
        let WriterOptions { level, threads } = options;
        assert!((1..=9).contains(&level), "there is no level {level}");
        let mut bits = BitWriter::default();
        for byte in [b'B', b'Z', b'h', b'0' + level] {
            bits.put(byte.into(), 8);
        }
        let capacity = usize::from(level) * BLOCK_UNIT - MARGIN;
        Self {
            inner,
            bits,
            packer: Packer::new(capacity, Vec::new()),
            capacity,
            pipeline: Pipeline::new(threads, IN_LINE),
            encoders: Arc::default(),
            accelerator: None,
            crc: 0,
            spare: Vec::new(),
        }
    }

    /// Runs the stages that an accelerator can do on it. If it fails, writing fails.
    #[must_use]
    pub fn with_accelerator(mut self, accelerator: Arc<dyn Accelerator>) -> Self {
        self.accelerator = Some(accelerator);
        self
    }

    /// Compresses what is left and ends the stream.
    ///
    /// # Errors
    ///
    /// The error of writing to `inner`, or the accelerator's [`Failure`].
    pub fn finish(mut self) -> io::Result<W> {
        if !self.packer.is_empty() {
            self.submit_block();
        }
        while let Some(block) = self.pipeline.next() {
            self.put(block)?;
        }
        put_magic(&mut self.bits, TAIL_MAGIC);
        self.bits.put(self.crc, 32);
        self.inner.write_all(&self.bits.finish())?;
        self.inner.flush()?;
        Ok(self.inner)
    }

    /// Begins a block as soon as there is room for one more.
    fn begin_block(&mut self) -> io::Result<()> {
        while self.pipeline.is_full() {
            let block = self.pipeline.next().expect("a full queue has a task");
            self.put(block)?;
        }
        let mut memory = self.spare.pop().unwrap_or_default();
        memory.reserve_exact((self.capacity + MARGIN).saturating_sub(memory.len()));
        self.packer = Packer::new(self.capacity, memory);
        Ok(())
    }

    fn submit_block(&mut self) {
        let next = Packer::new(self.capacity, Vec::new());
        let block = std::mem::replace(&mut self.packer, next).finish();
        let encoders = Arc::clone(&self.encoders);
        let accelerator = self.accelerator.clone();
        self.pipeline.submit(move || {
            // Working memory is reused; there is one per block being encoded.
            let lock = || encoders.lock().unwrap_or_else(PoisonError::into_inner);
            let mut encoder = lock().pop().unwrap_or_default();
            let encoded = encoder.encode(block, accelerator.as_deref());
            lock().push(encoder);
            encoded
        });
    }

    fn put(&mut self, block: Result<EncodedBlock, Failure>) -> io::Result<()> {
        let block = block.map_err(io::Error::other)?;
        let mut left = block.bits;
        for portion in block.bytes.chunks(PORTION) {
            let bits = left.min(8 * portion.len() as u64);
            self.bits.append(portion, bits);
            self.bits.pass_bytes(&mut self.inner)?;
            left -= bits;
        }
        self.crc = combine(self.crc, block.crc);
        self.spare.push(block.bytes);
        Ok(())
    }
}

impl<W: Write> Write for Writer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.packer.is_empty() {
            self.begin_block()?;
        }
        let taken = self.packer.push(bytes);
        if self.packer.is_full() {
            self.submit_block();
        }
        Ok(taken)
    }

    /// Writes the blocks that are complete. It does not end the current block, which would then be
    /// smaller than its level says.
    fn flush(&mut self) -> io::Result<()> {
        self.bits.pass_bytes(&mut self.inner)?;
        self.inner.flush()
    }
}
