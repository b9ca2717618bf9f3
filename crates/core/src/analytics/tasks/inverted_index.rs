//! Inverted index: every word with the documents it occurs in.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::word_items::WordItems;
use crate::analytics::engine::{Passes, Run, Setting, by_item, document_lists};
use crate::analytics::report::Report;
use crate::analytics::select::{self, Decision};
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

/// Every word, in the order of bytes, with the documents it occurs in, in the order of the corpus, and
/// no counts: the index of the paper's section 2. [`Query::documents_only`] asks for it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DocumentLists;

impl<'c> Query<'c, InvertedIndex> {
    /// Asks for the list of each word's documents, without counts. Where text repeats, that is less
    /// work: a rule is visited once for all documents that reach it.
    #[must_use]
    pub fn documents_only(self) -> Query<'c, DocumentLists> {
        Query { corpus: self.corpus, question: DocumentLists, options: self.options }
    }
}

impl Query<'_, DocumentLists> {
    /// Which traversal the query would use, and why.
    #[must_use]
    pub fn explain(&self) -> Decision {
        select::decide(self.corpus, &Question::from(InvertedIndex).shape(), &self.options)
    }

    /// Passes each word and the numbers of its documents, or [units](Query::by), to `consume`.
    /// [`row_names`](Query::row_names) has the names.
    ///
    /// # Errors
    /// When the query cannot be answered, the corpus is damaged, or `consume` fails.
    pub fn for_each(
        &self,
        consume: impl FnMut(&[u8], &[u32]) -> Result<(), QueryError>,
    ) -> Result<Report, QueryError> {
        self.options.limits.check()?;
        let setting = Setting::new(self.corpus, self.options.clone(), &self.explain())?;
        let passes = document_lists::each(&setting, consume)?;
        Ok(setting.into_report(passes))
    }
}

pub(super) fn answer<O: Send>(run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
    let setting = run.setting;
    by_item::inverted(run, &mut WordItems::new(setting))
}
