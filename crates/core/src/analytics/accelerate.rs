//! Counting elsewhere: a GPU, say, takes over the counting of items in a segment's documents.
//!
//! All before it (loading, views, the choice of documents) and after it (order, rows, borders of
//! segments) stays the same, so that an accelerator is one method.

pub use crate::error::AcceleratorError;
use crate::grammar::Grammar;
use std::ops::Range;

/// Counts items of documents in place of this crate's traversals.
pub trait Accelerator: Sync {
    /// Counts.
    ///
    /// # Errors
    /// When it cannot; then nothing of the answer comes from it.
    fn count(&self, job: &Job<'_>) -> Result<Counted, AcceleratorError>;
}

/// What is to be counted.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// A segment's grammar.
    pub grammar: &'a Grammar,
    /// For each token the word that it counts as; one that is not below `words` counts as none.
    pub numbers: &'a [u32],
    /// How many words there are.
    pub words: usize,
    /// Words in a sequence; 1 to count words.
    pub n: usize,
    /// Only sequences whose first word is in here.
    pub first_words: Range<u32>,
    /// The documents, by number, rising.
    pub documents: &'a [usize],
    /// Whether each document is counted apart, or all together.
    pub by_document: bool,
}

/// How often items stand in documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The sequences that were found, `n` words each, in the order of their words; empty if `n` is 1.
    pub sequences: Vec<u32>,
    /// Where the items of each document start in `items`, and the end; of one document if all were
    /// counted together.
    pub starts: Vec<usize>,
    /// Words, or numbers of sequences, in any order.
    pub items: Vec<u32>,
    /// Of each item, how often it stands there.
    pub counts: Vec<u64>,
    /// Symbols that were looked at.
    pub visited: u64,
}

/// Who counts, and what happens when it cannot.
#[derive(Clone, Copy)]
pub(crate) struct Acceleration<'c> {
    pub(crate) accelerator: &'c dyn Accelerator,
    pub(crate) falls_back: bool,
}
