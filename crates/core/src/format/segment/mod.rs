//! A segment's grammar to bytes and back.
//!
//! ```text
//! coding: u8, rules: varint (without the root), root length: varint, documents: varint
//! ```
//!
//! then, by coding:
//!
//! | coding | fields |
//! |---|---|
//! | 0, 2, 3 | stream of runs, stream of documents, block size: varint, rules, code of the root |
//! | 1 | stream of runs, stream of documents, rules and root |
//! | 4, 5 | stream of documents, grammar |
//!
//! Codings 0, 2 and 3 store the root in blocks, each in its own section: see [`root_blocks`].
//!
//! | module | contents |
//! |---|---|
//! | `encode`, `decode` | header, and dispatch by coding |
//! | [`coding`] | the codings, one module per level |
//! | [`codec`] | codes of numbers, which know nothing of grammars |
//! | [`numbering`] | how symbols become numbers |
//! | [`root_blocks`], [`root_sink`] | reading a root block by block, and what becomes of its symbols |

mod codec;
mod coding;
mod decode;
mod encode;
mod numbering;
mod root_blocks;
mod root_sink;
mod shape;
#[cfg(test)]
mod tests;

pub(crate) use coding::coding_of;
pub(crate) use decode::{Decoded, decode};
pub(crate) use encode::{Form, encode};
pub(crate) use root_blocks::{BLOCK_SYMBOLS, BlockRoom, RootBlocks};
pub(crate) use root_sink::RootAs;
