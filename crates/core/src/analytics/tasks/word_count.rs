//! Word count: every word with its count, the most frequent first.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::{Setting, Writer, words};
use crate::analytics::report::Phase;
use crate::corpus::Corpus;
use crate::error::Error;

/// Every word with its count, by falling count, then by the words' bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCount;

impl From<WordCount> for Question {
    fn from(task: WordCount) -> Self {
        Self::WordCount(task)
    }
}

impl Corpus {
    /// Asks for every word with its count, the most frequent first.
    #[must_use]
    pub fn word_count(&self) -> Query<'_, WordCount> {
        Query::new(self, WordCount)
    }
}

pub(super) fn answer<O: Send>(
    setting: &Setting<'_>,
    writer: &Writer<'_, O>,
    consume: &mut (dyn FnMut(O) -> Result<(), Error> + Send),
) -> Result<u64, Error> {
    let totals = words::totals(setting, &setting.segments)?;
    let counts = setting.meter.time(Phase::Merge, || by_falling_count(setting, &totals));
    super::write_words(&counts, writer, consume)?;
    Ok(1)
}

/// The words that occur, by falling count, then by bytes.
pub(super) fn by_falling_count(setting: &Setting<'_>, totals: &[u64]) -> Vec<(u32, u64)> {
    let words = (0..).zip(totals.iter().copied()).filter(|&(_, count)| count > 0);
    let mut counts: Vec<(u32, u64)> = words.collect();
    let text = |&(word, _): &(u32, u64)| setting.words.text(word);
    if let Some(top) = setting.options.top {
        // Without looking at texts: all that may be among the first.
        if top > 0 && top < counts.len() {
            let (_, &mut (_, least), _) =
                counts.select_nth_unstable_by_key(top - 1, |&(_, count)| std::cmp::Reverse(count));
            counts.retain(|&(_, count)| count >= least);
        }
        counts.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| text(a).cmp(text(b))));
        counts.truncate(top);
        return counts;
    }
    let rank_of = &setting.words.order().rank_of;
    counts
        .sort_unstable_by_key(|&(word, count)| (std::cmp::Reverse(count), rank_of[word as usize]));
    counts
}
