//! Accelerators: a GPU, for example, counts the items in a segment's documents.
//!
//! Everything before (loading, views, the choice of documents) and after (order, rows, borders of
//! segments) stays the same, so that an accelerator is one method.

pub(crate) use crate::error::query::AcceleratorError;
use crate::grammar::Grammar;
use std::ops::Range;

/// Counts items of documents in place of this crate's traversals.
pub trait Accelerator: Sync {
    /// Counts.
    ///
    /// # Errors
    /// When it cannot count; then it contributes nothing to the answer.
    fn count(&self, job: &Job<'_>) -> Result<Counted, AcceleratorError>;
}

/// What is to be counted.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// A segment's grammar.
    pub grammar: &'a Grammar,
    /// The word of each token; a number that is not below `words` is none.
    pub numbers: &'a [u32],
    /// How many words there are.
    pub words: usize,
    /// Words in a sequence; 1 to count words.
    pub n: usize,
    /// Only sequences whose first word is in this range are counted.
    pub first_words: Range<u32>,
    /// The numbers of the documents, in ascending order.
    pub documents: &'a [usize],
    /// Whether each document is counted separately, or all together.
    pub by_document: bool,
}

/// Counts of items in documents.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counted {
    /// The sequences that were found, `n` words each, in the order of their words; empty if `n` is 1.
    pub sequences: Vec<u32>,
    /// Where the items of each document start in `items`, and the end; of one document if all were
    /// counted together.
    pub starts: Vec<usize>,
    /// Words, or numbers of sequences, in any order.
    pub items: Vec<u32>,
    /// The count of each item.
    pub counts: Vec<u64>,
    /// Number of symbols visited.
    pub visited: u64,
}

/// An accelerator, and whether the CPU takes over when it fails.
#[derive(Clone, Copy)]
pub(crate) struct Acceleration<'c> {
    pub(crate) accelerator: &'c dyn Accelerator,
    pub(crate) falls_back: bool,
}
