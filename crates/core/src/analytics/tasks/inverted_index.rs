//! Inverted index: every word with the documents it occurs in.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::engine::{Passes, Run, by_item};
use crate::corpus::Corpus;
use crate::error::QueryError;

/// Every word, in the order of bytes, with each document it occurs in, in the order of the corpus,
/// and its count there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InvertedIndex;

impl From<InvertedIndex> for Question {
    fn from(task: InvertedIndex) -> Self {
        Self::InvertedIndex(task)
    }
}

impl Corpus {
    /// Asks for every word with the documents it occurs in.
    #[must_use]
    pub fn inverted_index(&self) -> Query<'_, InvertedIndex> {
        Query::new(self, InvertedIndex)
    }
}

pub(super) fn answer<O: Send>(run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
    let setting = run.setting;
    by_item::inverted(run, &mut WordItems::new(setting))
}
