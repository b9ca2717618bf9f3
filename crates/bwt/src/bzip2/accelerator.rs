//! Who does the heavy stages of a block instead of this crate: a GPU.

use crate::huffman::CodeTable;
use crate::transform::Transformed;
use std::error::Error;
use std::fmt;

/// Why an accelerator gave no result.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Stages that give exactly what this crate's give, so that files are identical.
pub trait Accelerator: fmt::Debug + Send + Sync {
    /// What [`forward`](crate::forward) gives.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn transform(&self, block: &[u8]) -> Result<Transformed, Failure>;

    /// The places of symbols in a list, in which each then moves to the front. The list has every
    /// symbol once.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn move_to_front(&self, symbols: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure>;

    /// Codes symbols one after the other: each group of `group` symbols selects the table by whose
    /// [code lengths](crate::huffman::codes) it is coded. Returns bytes, and how many of their bits
    /// count; the others are zero.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn code(
        &self,
        symbols: &[u16],
        lengths: &[Vec<u8>],
        selectors: &[u8],
        group: usize,
    ) -> Result<(Vec<u8>, u64), Failure>;

    /// Decodes symbols up to the end symbol: `None` if bits or groups end before it, or bits are no
    /// code. The reader then finds out what is wrong.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn decode(&self, coded: &CodedSymbols<'_>) -> Result<Option<DecodedSymbols>, Failure>;

    /// The symbols at places of a list, in which each then moves to the front: back from
    /// [`move_to_front`](Self::move_to_front).
    ///
    /// # Errors
    /// When the accelerator fails.
    fn move_from_front(&self, places: &[u8], list: &[u8; 256]) -> Result<Vec<u8>, Failure>;

    /// What [`inverse`](crate::inverse()) gives.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn restore(&self, last_column: &[u8], origin: usize) -> Result<Vec<u8>, Failure>;
}

/// Coded symbols: each group selects the table that it was coded by.
#[derive(Clone, Copy, Debug)]
pub struct CodedSymbols<'a> {
    /// What they are in, the first bit in the highest of a byte.
    pub bytes: &'a [u8],
    /// The bit at which they begin.
    pub start: u64,
    /// The tables.
    pub tables: &'a [CodeTable],
    /// The table of each group.
    pub selectors: &'a [u8],
    /// Symbols in a group.
    pub group: usize,
    /// The symbol that is the last one.
    pub end: u16,
}

/// Decoded symbols, the end symbol not among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedSymbols {
    /// In their order.
    pub symbols: Vec<u16>,
    /// The bit behind the end symbol.
    pub end: u64,
}
