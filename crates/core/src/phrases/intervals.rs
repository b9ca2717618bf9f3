//! The suffixes that begin with a phrase, or with one of the phrases that a pattern stands for.

use super::index::{Ranks, SegmentIndex, Word};
use crate::format::ContainerError;

impl SegmentIndex {
    /// The suffixes that begin with these words; there must be at least one.
    pub(crate) fn ranks_of(&self, words: &[u32]) -> Result<Ranks, ContainerError> {
        let (&last, rest) = words.split_last().expect("a phrase has words");
        let Some(last) = self.word(last)? else { return Ok(0..0) };
        let mut ranks = self.suffixes_of(&last);
        for &word in rest.iter().rev() {
            let Some(word) = self.word(word)? else { return Ok(0..0) };
            ranks = self.before(&word, &ranks)?;
            if ranks.is_empty() {
                return Ok(0..0);
            }
        }
        Ok(ranks)
    }

    /// The suffixes that begin with one word of each set, as intervals that do not overlap.
    pub(crate) fn ranks_of_sets(&self, sets: &[Vec<u32>]) -> Result<Vec<Ranks>, ContainerError> {
        let (last, rest) = sets.split_last().expect("a pattern has words");
        let words = |set: &[u32]| -> Result<Vec<Word>, ContainerError> {
            set.iter().filter_map(|&word| self.word(word).transpose()).collect()
        };
        let mut all: Vec<Ranks> = words(last)?.iter().map(|word| self.suffixes_of(word)).collect();
        for set in rest.iter().rev() {
            if all.is_empty() {
                break;
            }
            all.sort_unstable_by_key(|ranks| ranks.start);
            all.dedup_by(|next, last| {
                let touches = last.end == next.start;
                if touches {
                    last.end = next.end;
                }
                touches
            });
            let mut longer = Vec::new();
            for word in words(set)? {
                for ranks in &all {
                    let ranks = self.before(&word, ranks)?;
                    if !ranks.is_empty() {
                        longer.push(ranks);
                    }
                }
            }
            all = longer;
        }
        Ok(all)
    }
}
