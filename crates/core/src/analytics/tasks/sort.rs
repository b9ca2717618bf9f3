//! Sort: every word in order, with its count.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::total::WordSums;
use crate::analytics::engine::{Passes, Run, Setting};
use crate::analytics::report::Phase;
use crate::analytics::words::{Collation, Collator};
use crate::corpus::Corpus;
use crate::error::QueryError;

/// Every word in order, with its count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sort {
    pub(crate) by: SortBy,
    pub(crate) reverse: bool,
    pub(crate) collation: Collation,
}

/// What words are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The word.
    #[default]
    Word,
    /// The count, descending; equal counts by the word.
    Count,
}

impl From<Sort> for Question {
    fn from(task: Sort) -> Self {
        Self::Sort(task)
    }
}

impl Corpus {
    /// Asks for every word in order, with its count.
    #[must_use]
    pub fn sort(&self) -> Query<'_, Sort> {
        Query::new(self, Sort::default())
    }
}

impl Query<'_, Sort> {
    /// By word or by count.
    #[must_use]
    pub fn by(mut self, by: SortBy) -> Self {
        self.question.by = by;
        self
    }

    /// Reverses the order.
    #[must_use]
    pub fn reverse(mut self, reverse: bool) -> Self {
        self.question.reverse = reverse;
        self
    }

    /// Compares words this way.
    #[must_use]
    pub fn collation(mut self, collation: Collation) -> Self {
        self.question.collation = collation;
        self
    }
}

impl Sort {
    pub(super) fn answer<O: Send>(&self, run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
        let setting = run.setting;
        let collator = match self.collation {
            Collation::Bytes => None,
            Collation::Unicode => Some(Collator::new()?),
        };
        let sums = setting.plan.while_ordering(|| WordSums::new(setting))?;
        let counts = setting
            .ledger
            .meter
            .time(Phase::Merge, || self.order(setting, &sums.counts, collator.as_ref()));
        super::write_words(run, &sums, counts.into_iter())?;
        Ok(sums.passes)
    }

    /// The words that occur, by number, in order.
    fn order(
        &self,
        setting: &Setting<'_>,
        totals: &[u64],
        collator: Option<&Collator>,
    ) -> Vec<(u32, u64)> {
        let word_at = setting.plan.words.order().word_at.iter();
        let counts = word_at.map(|&word| (word, totals[word as usize]));
        let mut counts: Vec<(u32, u64)> = counts.filter(|&(_, count)| count > 0).collect();
        if let Some(collator) = collator {
            collator.sort(&setting.plan.words, &mut counts);
        }
        if self.by == SortBy::Count {
            counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
        }
        if self.reverse {
            counts.reverse();
        }
        counts.truncate(setting.plan.options.top.unwrap_or(usize::MAX));
        counts
    }
}
