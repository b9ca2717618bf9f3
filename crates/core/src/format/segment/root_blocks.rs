//! A root in blocks. Each block is its own section and is decoded without the others.
//!
//! In natural text the root has nine tenths of all symbols. Stored in full, it would take more memory
//! than everything else, and writing and reading that memory takes longer than many tasks do. A block
//! is read from disk, decoded and counted in the cache. A reader can start at any block and decode
//! several at once.
//!
//! | coding | block |
//! |---|---|
//! | bit-packed | tags and bits of the block's ranks, with the widths of the segment |
//! | Huffman | eight lanes, each a length and its bits, with the codes of the segment |

use super::codec::bitpack::{Packed, PackedCode};
use super::coding::default::root_read::{LaneRings, RootReader};
use super::numbering::ranks::Ranks;
use super::root_sink::Sink;
use super::shape::{LaterNumbers, Shape};
use crate::format::bytes::{ByteReader, Malformed};
use crate::grammar::Symbol;
use crate::token::Renumbering;
use std::ops::Range;

/// Default number of symbols per block.
pub(crate) const BLOCK_SYMBOLS: usize = 1 << 16;

/// Memory that a reader reuses from block to block.
#[derive(Debug, Default)]
pub(crate) struct BlockRoom {
    /// Bytes of the current block.
    pub(crate) bytes: Vec<u8>,
    pub(crate) rings: LaneRings,
}

/// The decoder of a root's blocks.
#[derive(Debug)]
pub(crate) struct RootBlocks {
    /// Symbols of the root.
    len: usize,
    /// Symbols per block; the last may have fewer.
    block: usize,
    /// Number of tokens and rules, the root included.
    symbols: usize,
    symbol_of: Vec<Symbol>,
    code: RootCode,
}

#[derive(Debug)]
pub(super) enum RootCode {
    BitPacked(PackedCode),
    Huffman(RootReader),
}

impl RootBlocks {
    pub(super) fn new(shape: Shape, block: usize, ranks: Ranks, code: RootCode) -> Self {
        let (len, symbols) = (shape.root_len, shape.symbols());
        Self { len, block, symbols, symbol_of: ranks.symbol_of, code }
    }

    /// Gives all symbols their numbers in a larger dictionary.
    pub(super) fn renumber(&mut self, numbers: LaterNumbers<'_>) {
        numbers.apply(&mut self.symbol_of);
        self.symbols += numbers.more();
    }

    /// Number of blocks.
    pub(crate) fn count(&self) -> usize {
        self.len.div_ceil(self.block)
    }

    /// The symbols of the root that a block contains.
    pub(crate) fn range(&self, number: usize) -> Range<usize> {
        let start = (number * self.block).min(self.len);
        start..self.len.min(start + self.block)
    }

    /// The block that contains a symbol of the root.
    pub(crate) fn block_of(&self, at: usize) -> usize {
        at / self.block
    }

    /// Decodes the symbols of a block into `out`, which has exactly their number.
    pub(crate) fn lay_out(
        &self,
        number: usize,
        bytes: &[u8],
        rings: &mut LaneRings,
        out: &mut [Symbol],
    ) -> Result<(), Malformed> {
        let mut sink = Sink::layout(&self.symbol_of, out);
        self.read(number, bytes, rings, &mut sink)?;
        sink.finish(0).map(|_| ()).ok_or_else(missing)
    }

    /// Decodes the ranks of a block instead of its symbols.
    pub(crate) fn lay_out_ranks(
        &self,
        number: usize,
        bytes: &[u8],
        rings: &mut LaneRings,
        out: &mut [u32],
    ) -> Result<(), Malformed> {
        let mut sink = Sink::ranks(&self.symbol_of, out);
        self.read(number, bytes, rings, &mut sink)?;
        sink.finish(0).map(|_| ()).ok_or_else(missing)
    }

    /// The same blocks of a grammar with other ids for its tokens.
    pub(crate) fn renumbered(mut self, ids: Renumbering<'_>) -> Self {
        self.symbols = self.symbols - ids.tokens_before() + ids.tokens() as usize;
        ids.apply(&mut self.symbol_of);
        self
    }

    /// The symbol of each rank.
    pub(crate) fn symbol_of(&self) -> &[Symbol] {
        &self.symbol_of
    }

    /// A tally that has counted nothing yet.
    pub(crate) fn tally(&self) -> RootTally<'_> {
        RootTally { blocks: self, sink: Sink::tally(&self.symbol_of) }
    }

    fn read(
        &self,
        number: usize,
        bytes: &[u8],
        rings: &mut LaneRings,
        sink: &mut Sink<'_>,
    ) -> Result<(), Malformed> {
        let mut reader = ByteReader::new(bytes);
        let len = self.range(number).len();
        match &self.code {
            RootCode::BitPacked(code) => {
                let packed = Packed::read(&mut reader, code, len)?;
                if !packed.unpack(|at, ranks| sink.take(at, ranks)) {
                    return reader.malformed("packed symbols do not end where their bits do");
                }
            }
            RootCode::Huffman(code) => code.decode(&mut reader, len, rings, sink)?,
        }
        reader.expect_end()
    }
}

/// How often symbols occur in some of the blocks.
pub(crate) struct RootTally<'b> {
    blocks: &'b RootBlocks,
    sink: Sink<'b>,
}

impl RootTally<'_> {
    /// Counts the symbols of a block.
    pub(crate) fn add(
        &mut self,
        number: usize,
        bytes: &[u8],
        rings: &mut LaneRings,
    ) -> Result<(), Malformed> {
        self.blocks.read(number, bytes, rings, &mut self.sink)?;
        if self.sink.is_sound() { Ok(()) } else { Err(missing()) }
    }

    /// Adds the counts of another tally.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.sink.absorb(other.sink);
    }

    /// The counts, by symbol.
    pub(crate) fn finish(self) -> Vec<u32> {
        self.sink.finish(self.blocks.symbols).expect("every block was checked")
    }
}

fn missing() -> Malformed {
    Malformed::at(0, "a symbol does not exist")
}
