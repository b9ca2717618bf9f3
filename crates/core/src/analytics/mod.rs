//! Analytics directly on the grammar.
//!
//! Six tasks ([`Corpus::word_count`](crate::Corpus::word_count), [`sort`](crate::Corpus::sort),
//! [`inverted_index`](crate::Corpus::inverted_index), [`term_vector`](crate::Corpus::term_vector),
//! [`sequence_count`](crate::Corpus::sequence_count) and
//! [`ranked_inverted_index`](crate::Corpus::ranked_inverted_index)), each a [`Query`] that is built
//! step by step, and a trait for [tasks](Task) of your own. Beside the tasks are queries with options and
//! answers of their own: [term matrices](TermMatrix), [ranking](Bm25), [keyness](Keyness),
//! [co-occurrence](Cooccurrence) and [collocates](Collocates).
//!
//! A query runs in these steps:
//!
//! 1. The [view](View) maps the dictionary: which tokens are which words.
//! 2. The [selector](Decision) picks a [`Traversal`] from facts of the file.
//! 3. Segments are loaded, several at once, and their documents traversed. Sequences are counted from
//!    the expanded words, or by the same traversals on a grammar derived from the segment's.
//! 4. Counts of segments are merged and sorted; rows come in [batches](RowBatch).

pub(crate) mod accelerate;
mod cooccurrence;
mod delimited;
mod engine;
mod keyness;
pub(crate) mod labels;
mod limits;
pub(crate) mod matrix;
mod options;
mod query;
mod rank;
mod report;
mod row_batch;
pub(crate) mod select;
mod sequences;
mod tally;
mod task;
pub(crate) mod task_kind;
mod tasks;
mod traverse;
mod traverse_corpus;
mod units;
mod words;

pub use cooccurrence::{
    Boundary, Collocate, CollocateMeasure, Collocates, Cooccurrence, CooccurrenceRun, Weighting,
};
pub use keyness::{KeyWord, Keyness, KeynessMeasure};
pub use limits::DocumentLimit;
pub use matrix::{Matrix, MatrixRun, Norm, SklearnTfIdf, TermMatrix, Terms, TfIdf, WeightedRun};
pub use options::Choice;
pub use query::{Query, Row};
pub use rank::{Bm25, Bm25Variant, Ranked, Ranker, WordScore};
pub use report::Report;
pub use row_batch::{BatchRow, RowBatch};
pub use select::{Decision, Stored};
pub use task::{Task, Traversal};
pub use tasks::{
    DocumentLists, InvertedIndex, Question, RankedInvertedIndex, SequenceCount, Sort, SortBy,
    TermVector, WordCount,
};
pub use traverse_corpus::{TaskRun, Traverse};
pub use units::{OfDocuments, RowNames, Units};
pub use words::{
    Case, Collation, Digits, Language, NormalForm, Pattern, UnknownLanguage, View, Words,
};
