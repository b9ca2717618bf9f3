//! Runs a query: loads segments, counts items in documents, puts the answer together.
//!
//! An answer has *items* (words, or sequences of words) and a *shape*: rows per document, per item, or for
//! all chosen documents together. The tasks are the pairs of the two:
//!
//! | | [by document](by_document) | [by item](by_item) | all together |
//! |---|---|---|---|
//! | [words](word_items) | term vector | inverted index | word count, sort: [`word_totals`] |
//! | [sequences](sequence_items) | sequence count | ranked inverted index, or [`ranked_index`] | sequence count of the corpus: [`of_corpus`] |
//!
//! The paths that a sequence count can take:
//!
//! ```text
//!  SequenceCount::answer                   packs sequences into u64, u128 or boxed slices
//!    |
//!    +-- by_document::run                  rows per document
//!    |     |-- whole documents:  for_each_share -> rank() per document -> rows
//!    |     |-- split documents:  of_corpus::run on the pieces
//!    |     `-- units of documents: by_unit::run
//!    |
//!    `-- of_corpus::run                    rows for the corpus, or for the pieces of one document
//!          |-- passes()                    one range of first words, or several if memory is short
//!          |-- gather: for_each_share -> count() -> CountList;  Borders add what spans pieces
//!          |-- merge, order_by_count -> rows
//!          `-- several passes: Spill, then one merge -> rows
//!
//!  for_each_share:  SegmentPool loads a segment -> prepare() -> its shares, on threads -> results in order
//!
//!  prepare():  an accelerator counts                         Prepared::Accelerated
//!              traversal stream: words, rolling keys, sort   Prepared::Stream
//!              else derive() a grammar of sequences,
//!                   and traverse that as for words           Prepared::Derived
//! ```

mod accelerated;
pub(crate) mod by_document;
pub(crate) mod by_item;
mod by_unit;
mod count_list;
pub(crate) mod document_counts;
pub(crate) mod document_lists;
mod document_set;
mod even_chunks;
pub(crate) mod first_occurrence;
mod items;
pub(crate) mod ngram_items;
pub(crate) mod of_corpus;
mod ordered;
mod passes;
mod plan;
pub(crate) mod ranked_index;
mod rows;
mod scope;
pub(crate) mod sequence_items;
mod setting;
mod shares;
mod spill;
pub(crate) mod total;
pub(crate) mod word_items;
pub(crate) mod word_totals;

pub(crate) use items::{Count, Prepare, Ranged};
pub(crate) use ordered::{Outlet, run as run_in_order};
pub(crate) use passes::Passes;
pub(crate) use rows::{Ranking, Writer};
pub(crate) use scope::SegmentScope;
pub(crate) use setting::Setting;
pub(crate) use shares::{Division, Loaded, Share, for_each_share};

use crate::error::QueryError;

/// A run of a question: what is asked, how rows are encoded, and who takes them.
pub(crate) struct Run<'r, O> {
    pub(crate) setting: &'r Setting<'r>,
    pub(crate) writer: &'r Writer<'r, O>,
    pub(crate) consume: &'r mut Consume<'r, O>,
}

/// Takes encoded rows, in the order of the answer.
pub(crate) type Consume<'r, O> = dyn FnMut(O) -> Result<(), QueryError> + Send + 'r;
