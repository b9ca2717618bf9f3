//! Who does the heavy stages of compressing a block instead of this crate: a GPU.

use crate::transform::Transformed;
use std::error::Error;
use std::fmt;

/// Why an accelerator gave no result.
pub type Failure = Box<dyn Error + Send + Sync>;

/// Stages that give exactly what this crate's give, so that files are the same whoever does them.
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
}
