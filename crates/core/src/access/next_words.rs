//! Which words follow a phrase, and how often.
//!
//! The suffixes that begin with a phrase and one next word are neighbours. So the next words are found
//! by going from the first suffix of one to the first suffix of the following one, whatever lies between.

use super::Access;
use super::indexed::{Crossing, Cursor, Pattern};
use crate::error::AccessError;
use crate::phrases::{Ranks, SegmentIndex};
use rustc_hash::FxHashMap;

/// The words that follow a phrase.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct NextWords {
    /// How often the phrase occurs.
    pub count: u64,
    /// How often it occurs at the end of a document.
    pub at_end: u64,
    /// The words that follow it and how often each does: the most frequent first, and equally frequent
    /// ones by their bytes.
    pub words: Vec<(Vec<u8>, u64)>,
}

/// The same by the numbers of words.
#[derive(Default)]
struct Found {
    at_end: u64,
    words: FxHashMap<u32, u64>,
}

impl Access {
    /// The words that follow the matches of a pattern.
    pub(crate) fn next_words(&self, pattern: &Pattern) -> Result<NextWords, AccessError> {
        let mut found = Found::default();
        for number in 0..self.segments.len() {
            let index = self.index(number)?;
            for ranks in self.corpus.in_index(index.ranks_of_sets(&pattern.sets))? {
                self.add_next(number, index, &ranks, pattern.sets.len(), &mut found)?;
            }
            for Crossing { last, .. } in self.across_pattern(number, pattern)? {
                let last = Cursor { segment: number, rank: last };
                let (_, behind) = self.word_after(last)?.expect("the last word of a match");
                match self.word_after(behind)? {
                    Some((word, _)) => *found.words.entry(word).or_default() += 1,
                    None => found.at_end += 1,
                }
            }
        }
        let dictionary = self.corpus.dictionary()?;
        let first = dictionary.words().start;
        let mut words: Vec<(Vec<u8>, u64)> = found
            .words
            .into_iter()
            .map(|(word, count)| (dictionary.bytes(first + word).to_vec(), count))
            .collect();
        words.sort_unstable_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let count = found.at_end + words.iter().map(|(_, count)| count).sum::<u64>();
        Ok(NextWords { count, at_end: found.at_end, words })
    }

    /// Adds what follows the first `len` words of some suffixes.
    fn add_next(
        &self,
        number: usize,
        index: &SegmentIndex,
        ranks: &Ranks,
        len: usize,
        found: &mut Found,
    ) -> Result<(), AccessError> {
        let mut words = Vec::with_capacity(len + 1);
        let mut rank = ranks.start;
        while rank < ranks.end {
            words.clear();
            let mut behind = rank;
            for _ in 0..len {
                words.extend(self.corpus.in_index(index.word_of(behind))?);
                behind = self.corpus.in_index(index.next(behind))?.unwrap_or(0);
            }
            let Some(next) = self.corpus.in_index(index.word_of(behind))? else {
                rank = self.add_end(Cursor { segment: number, rank: behind }, rank, found)?;
                continue;
            };
            words.push(next);
            let end = self.corpus.in_index(index.ranks_of(&words))?.end.min(ranks.end);
            // A forged index may lead astray; it must not lead in circles.
            let end = end.max(rank + 1);
            *found.words.entry(next).or_default() += u64::from(end - rank);
            rank = end;
        }
        Ok(())
    }

    /// Adds what follows at the end of a document, or of a piece of one. Returns the next suffix.
    fn add_end(&self, end: Cursor, rank: u32, found: &mut Found) -> Result<u32, AccessError> {
        match self.word_after(end)? {
            Some((word, _)) => *found.words.entry(word).or_default() += 1,
            None => found.at_end += 1,
        }
        Ok(rank + 1)
    }
}
