//! Word count: every word with its count, the most frequent first.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::{Setting, Writer, order_by_count, words};
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

/// The words that occur, by rank in the order of bytes: by falling count, then by rank.
fn by_falling_count(setting: &Setting<'_>, totals: &[u64]) -> Vec<(u32, u64)> {
    let word_at = &setting.words.order().word_at;
    let by_rank = (0u64..).zip(word_at.iter().map(|&word| totals[word as usize]));
    let mut counts: Vec<(u64, u64)> = by_rank.filter(|&(_, count)| count > 0).collect();
    order_by_count(&mut counts, setting.options.top);
    counts.into_iter().map(|(rank, count)| (rank as u32, count)).collect()
}
