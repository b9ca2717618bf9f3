//! The codings of level `default`: rules by rANS, the root by Huffman codes or by rANS as well.

pub(crate) mod root_read;
pub(crate) mod root_write;
pub(crate) mod rules;

use crate::format::segment::codec::backrefs::CLASSES;
use crate::format::segment::numbering::cells::{FINE, cells};

/// Cells of a column in the root's Huffman codes,
const CELLS: usize = cells(FINE);
/// and the classes of distances that follow them.
const CELLS_AND_CLASSES: usize = CELLS + CLASSES;
