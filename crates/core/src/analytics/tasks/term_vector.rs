//! Term vector: every document with its words.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::engine::{Passes, Run, by_document};
use crate::corpus::Corpus;
use crate::error::QueryError;

/// Every document, in the order of the corpus, with its words, by descending count, then by their
/// bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TermVector;

impl From<TermVector> for Question {
    fn from(task: TermVector) -> Self {
        Self::TermVector(task)
    }
}

impl Corpus {
    /// Asks for every document's words, the most frequent first.
    #[must_use]
    pub fn term_vector(&self) -> Query<'_, TermVector> {
        Query::new(self, TermVector)
    }
}

pub(super) fn answer<O: Send>(run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
    let setting = run.setting;
    let items = &mut WordItems::new(setting);
    by_document::run(run, items)
}
