//! Codes of numbers, which know nothing of grammars: fixed widths, rANS, Huffman codes, references
//! to recent numbers, and the eight lanes that the latter three share.

pub(crate) mod backrefs;
pub(crate) mod bitpack;
pub(crate) mod bits;
pub(crate) mod huffman;
pub(crate) mod lanes;
pub(crate) mod rans;

/// Decoders hand over this many numbers at once; few enough to stay in the nearest cache.
pub(crate) const CHUNK: usize = 512;
