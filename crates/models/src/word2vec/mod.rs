//! word2vec (Mikolov and others 2013): a vector for each word of a vocabulary.
//!
//! The vocabulary and its Huffman codes come from the counts of a corpus, as section 6.3 of the TADOC
//! paper has it.

mod huffman;
mod vocabulary;

pub use huffman::{HuffmanCodes, Step};
pub use vocabulary::Vocabulary;
