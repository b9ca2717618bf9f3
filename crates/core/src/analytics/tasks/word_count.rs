//! Word count: every word with its count, the most frequent first.

use super::Question;
use crate::analytics::Query;
use crate::analytics::engine::total::WordSums;
use crate::analytics::engine::{Passes, Run};
use crate::analytics::report::Phase;
use crate::analytics::sequences::{KeyBits, Sorter};
use crate::analytics::words::{Words, sort_by_bytes};
use crate::corpus::Corpus;
use crate::error::QueryError;
use std::cmp::Reverse;

/// Every word with its count, by descending count, then by the words' bytes.
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

pub(super) fn answer<O: Send>(run: &mut Run<'_, O>) -> Result<Passes, QueryError> {
    let setting = run.setting;
    let sums = WordSums::new(setting)?;
    let words = &setting.plan.words;
    let counts = setting.ledger.meter.time(Phase::Merge, || WordsByCount::new(words, &sums.counts));
    let rows = counts.iter().take(setting.plan.options.top.unwrap_or(usize::MAX));
    super::write_words(run, &sums, rows)?;
    Ok(sums.passes)
}

/// The words that occur, by descending count, then by their bytes.
///
/// A dictionary has its words roughly by descending frequency, then by bytes, so words with the
/// same count are mostly in order already. So words are sorted by count first, and then by bytes
/// only where they are not in order.
#[derive(Debug, Default)]
struct WordsByCount {
    /// Words whose count exceeds 32 bits, and the counts.
    most: Vec<(u32, u64)>,
    /// Words that occur several times, [packed](WordsByCount::packed) with their counts.
    several: Vec<u64>,
    /// Words that occur once.
    once: Vec<u32>,
}

impl WordsByCount {
    /// `totals` has the count of each word.
    fn new(words: &Words<'_>, totals: &[u64]) -> Self {
        let mut falling = Self::default();
        for (word, &count) in (0..).zip(totals) {
            match u32::try_from(count) {
                Ok(0) => {}
                Ok(1) => falling.once.push(word),
                Ok(count) => falling.several.push(Self::packed(word, count)),
                Err(_) => falling.most.push((word, count)),
            }
        }
        let Self { most, several, once } = &mut falling;
        most.sort_by_key(|&(_, count)| Reverse(count));
        for same in most.chunk_by_mut(|a, b| a.1 == b.1) {
            sort_by_bytes(words, same, |&(word, _)| word);
        }
        Sorter::default().sort_by(several, KeyBits { low: 32, high: 64 });
        for same in several.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            sort_by_bytes(words, same, |&packed| packed as u32);
        }
        sort_by_bytes(words, once, |&word| word);
        falling
    }

    /// A word and its count as one number: the higher the count, the smaller the number.
    fn packed(word: u32, count: u32) -> u64 {
        u64::from(!count) << 32 | u64::from(word)
    }

    fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        let several = self.several.iter();
        let several = several.map(|&packed| (packed as u32, u64::from(!((packed >> 32) as u32))));
        let once = self.once.iter().map(|&word| (word, 1));
        self.most.iter().copied().chain(several).chain(once)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Interner, TokenClass};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counts_fall_and_words_rise_among_equals(
            texts in proptest::collection::hash_set("[a-c]{1,12}", 1..200),
            counts in proptest::collection::vec((0u64..5, any::<bool>()), 200),
        ) {
            let mut table = Interner::default();
            for text in &texts {
                table.intern(TokenClass::Spaced, text.as_bytes());
            }
            let words = Words::own(table, Vec::new());
            let count = |&(count, is_high): &(u64, bool)| {
                if is_high && count > 0 { u64::from(u32::MAX) - 2 + count } else { count }
            };
            let totals: Vec<u64> = counts.iter().map(count).take(texts.len()).collect();
            let mut expected: Vec<(u32, u64)> =
                (0..).zip(totals.iter().copied()).filter(|&(_, count)| count > 0).collect();
            expected.sort_by_key(|&(word, count)| (Reverse(count), words.text(word)));
            let found: Vec<(u32, u64)> = WordsByCount::new(&words, &totals).iter().collect();
            prop_assert_eq!(found, expected);
        }
    }
}
