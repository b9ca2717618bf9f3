//! Ranked inverted index: every sequence of words with the documents it occurs in.

use super::Question;
use super::sequence_count::DEFAULT_WORDS;
use crate::analytics::Query;
use crate::analytics::engine::{Passes, Run, by_item, ranked_index};
use crate::analytics::sequences::Packing;
use crate::corpus::Corpus;
use crate::error::QueryError;

/// Every sequence of `n` words, word by word in the order of bytes, with each document it occurs
/// in, by descending count, then in the order of the corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankedInvertedIndex {
    pub(crate) n: usize,
    pub(crate) gaps: bool,
}

impl From<RankedInvertedIndex> for Question {
    fn from(task: RankedInvertedIndex) -> Self {
        Self::RankedInvertedIndex(task)
    }
}

impl Corpus {
    /// Asks for every sequence of three words with the documents it occurs in, ranked by count.
    #[must_use]
    pub fn ranked_inverted_index(&self) -> Query<'_, RankedInvertedIndex> {
        Query::new(self, RankedInvertedIndex { n: DEFAULT_WORDS, gaps: false })
    }
}

impl Query<'_, RankedInvertedIndex> {
    /// Sequences of `n` words, at least two.
    #[must_use]
    pub fn words(mut self, n: usize) -> Self {
        self.question.n = n;
        self
    }

    /// Lets sequences skip words that the view leaves out. By default such a word ends a sequence,
    /// so that the words of a sequence are neighbours in the text. The scikit-learn view always
    /// skips them, as scikit-learn does.
    #[must_use]
    pub fn gaps(mut self) -> Self {
        self.question.gaps = true;
        self
    }
}

impl RankedInvertedIndex {
    pub(super) fn answer<O: Send>(&self, run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
        let setting = run.setting;
        let packing = Packing::of_ranks(self.n, &setting.plan.words, self.gaps);
        if let Some(form) = ranked_index::Form::new(setting, packing) {
            return ranked_index::ranked(run, form);
        }
        with_sequences!(setting, packing, |items| by_item::ranked(run, items))
    }
}
