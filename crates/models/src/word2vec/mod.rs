//! word2vec (Mikolov and others 2013): a vector for each word of a vocabulary, such that words that
//! occur in similar contexts have similar vectors.
//!
//! The vocabulary and its Huffman codes come from the counts of the corpus, and the words come as
//! numbers from its grammar, as section 6.3 of the TADOC paper has it. Both architectures (CBOW and
//! skip-gram) and both output layers (negative sampling and hierarchical softmax) follow word2vec.c and
//! gensim; `docs/applications.md` lists where they differ.

mod draw;
mod error;
mod huffman;
mod lanes;
mod learner;
mod logistic;
mod matrix;
mod options;
#[cfg(test)]
mod oracle;
mod text;
mod training;
mod vocabulary;

pub use error::Word2VecError;
pub use huffman::{HuffmanCodes, Step};
pub use options::{Objective, Word2Vec};
pub use training::{Epoch, Training};
pub use vocabulary::Vocabulary;
