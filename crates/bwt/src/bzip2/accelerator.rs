//! The heavy stages of a block, done by a GPU instead of this crate.

use crate::huffman::CodeTable;
use crate::transform::Transformed;
use std::error::Error;
use std::fmt;

/// Why an accelerator gave no result.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Stages whose results equal those of this crate, so that files are identical.
pub trait Accelerator: fmt::Debug + Send + Sync {
    /// What [`forward`](crate::forward) gives.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn transform(&self, block: &[u8]) -> Result<Transformed, Failure>;

    /// The place of each symbol in a list; the symbol then moves to the front. The list contains every
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

    /// Decodes symbols up to the end symbol. `None` if bits or groups end before it, or bits match no
    /// code; the reader then decodes again to find what is wrong.
    ///
    /// # Errors
    /// When the accelerator fails.
    fn decode(&self, coded: &CodedSymbols<'_>) -> Result<Option<DecodedSymbols>, Failure>;

    /// The symbol at each place of a list; the symbol then moves to the front. The inverse of
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

/// Coded symbols: each group selects the table that codes it.
#[derive(Clone, Copy, Debug)]
pub struct CodedSymbols<'a> {
    /// The bytes that contain them; the first bit is the highest of a byte.
    pub bytes: &'a [u8],
    /// The bit at which they begin.
    pub start: u64,
    /// The tables.
    pub tables: &'a [CodeTable],
    /// The table of each group.
    pub selectors: &'a [u8],
    /// Symbols in a group.
    pub group: usize,
    /// The symbol that ends a block.
    pub end: u16,
}

/// Decoded symbols without the end symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DecodedSymbols {
    /// In their order.
    pub symbols: Vec<u16>,
    /// The bit after the end symbol.
    pub end: u64,
}
