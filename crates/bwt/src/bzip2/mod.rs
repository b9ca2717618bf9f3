//! The bzip2 format, written and read on all cores.
//!
//! A file is one or more *streams*, a stream a head, *blocks*, and a tail with a checksum. A block is
//! compressed separately, in order: runs of four equal bytes and more are shortened (`runs`), the
//! [transform](crate::transform) is taken, symbols are [moved to front](crate::mtf) and runs of zeros
//! written as numbers (`symbols`), and the result is [Huffman-coded](crate::huffman) with 2 to 6
//! tables (`tables`). The thesis implements the transform, move-to-front and one table, and leaves
//! the rest as future work (sections 1.4 and 5.2).
//!
//! ```text
//! stream   "BZh", level '1'…'9', blocks, 0x177245385090, checksum 32, zeros up to a whole byte
//! block    0x314159265359, checksum 32, randomised 1, origin 24, bytes that occur 16 + up to 16×16,
//!          tables 3, groups 15, a table for each group, code lengths of each table, symbols
//! ```
//!
//! Blocks do not store their length and begin at any bit. [`Writer`] compresses several at once and
//! joins their bits. [`Reader`] looks ahead for the magic numbers of blocks and decodes from each of
//! them, several at once. A block decoded from a number that occurred by chance is never used.

mod accelerator;
mod ahead;
mod crc;
mod decode;
mod encode;
mod error;
mod pipeline;
mod random;
mod reader;
mod runs;
mod scan;
mod symbols;
mod tables;
#[cfg(test)]
mod tests;
mod workshop;
mod writer;

pub use accelerator::{Accelerator, CodedSymbols, DecodedSymbols, Failure};
pub use error::Error;
pub use reader::Reader;
pub use writer::{Writer, WriterOptions};

/// Block sizes are multiples of this: level 9 has nine times as much.
const BLOCK_UNIT: usize = 100_000;
/// What a block begins with: the digits of pi.
const BLOCK_MAGIC: u64 = 0x3141_5926_5359;
/// What a stream's tail begins with: the digits of its root.
const TAIL_MAGIC: u64 = 0x1772_4538_5090;
/// Bits of a magic number.
const MAGIC_BITS: u32 = 48;
