//! Sequence count: the sequences of words of every document, or of the corpus.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::{Passes, Run, by_document, of_corpus, total};
use crate::analytics::sequences::Packing;
use crate::corpus::Corpus;
use crate::error::QueryError;

/// Default number of words in a sequence.
pub(super) const DEFAULT_WORDS: usize = 3;

/// The sequences of `n` words of every document, in the order of the corpus, by descending count,
/// then by the words' bytes; or those of the whole corpus. Separators between words do not count;
/// sequences do not cross documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SequenceCount {
    pub(crate) n: usize,
    pub(crate) of_corpus: bool,
    pub(crate) gaps: bool,
}

impl From<SequenceCount> for Question {
    fn from(task: SequenceCount) -> Self {
        Self::SequenceCount(task)
    }
}

impl Corpus {
    /// Asks for the sequences of three words in every document.
    #[must_use]
    pub fn sequence_count(&self) -> Query<'_, SequenceCount> {
        Query::new(self, SequenceCount { n: DEFAULT_WORDS, of_corpus: false, gaps: false })
    }
}

impl Query<'_, SequenceCount> {
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

    /// The sequences of all documents together.
    #[must_use]
    pub fn of_corpus(mut self) -> Self {
        self.question.of_corpus = true;
        self
    }
}

impl SequenceCount {
    pub(super) fn answer<O: Send>(&self, run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
        let setting = run.setting;
        let top = setting.plan.options.top;
        let packing = Packing::of_ranks(self.n, &setting.plan.words, self.gaps);
        with_sequences!(setting, packing, |items| if self.of_corpus {
            let order = of_corpus::Order { top, document: None };
            of_corpus::run(run, items, &setting.plan.segments, order)
        } else {
            let mut before = Passes(0);
            if setting.plan.options.limits.are_any() {
                let (sequences, passes) = total::kept(setting, items)?;
                items.allow(sequences);
                before = passes;
            }
            by_document::run(run, items).map(|Passes(passes)| Passes(before.0 + passes))
        })
    }
}
