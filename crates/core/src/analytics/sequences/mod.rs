//! Sequences of words, without expanding repeated text.
//!
//! [`key`] packs a sequence of words into one number that sorts like the words do. [`window`] finds
//! the sequences that span pieces of a document. [`derive`](derive()) turns a grammar of words into
//! a grammar of sequences, so that every traversal that counts words also counts sequences.

mod derive;
pub(crate) mod key;
mod sort;
mod window;

pub(crate) use derive::{Derived, RuleEdges, derive};
pub(crate) use key::{Key, Packing, Wide};
pub(crate) use sort::{KeyBits, Keyed, Sorter};
pub(crate) use window::{Border, PieceEnds};
