//! Which words are counted, and their ranks.

use super::Boundary;
use crate::analytics::matrix::Terms;
use crate::analytics::words::{NO_WORD, Words, sort_by_bytes};
use crate::error::CooccurrenceError;
use crate::token::{Dictionary, TokenClass};
use std::cmp::Reverse;

/// The words that are counted, by falling count and then by bytes. Their places are their ranks.
pub(super) struct Vocabulary {
    pub(super) terms: Terms,
    /// How often each word occurs.
    pub(super) counts: Vec<u64>,
    /// The rank of each word of the view, or [`NO_WORD`].
    ranks: Vec<u32>,
}

impl Vocabulary {
    /// Chooses words by how often they occur, which `totals` says by number.
    pub(super) fn choose(
        words: &Words<'_>,
        totals: &[u64],
        min_count: u64,
        max_vocab: Option<usize>,
    ) -> Result<Self, CooccurrenceError> {
        if max_vocab == Some(0) {
            return Err(CooccurrenceError::EmptyVocabulary);
        }
        let distinct = totals.iter().filter(|&&total| total > 0).count() as u64;
        if distinct == 0 {
            return Err(CooccurrenceError::NoWords);
        }
        let is_kept = |&word: &u32| totals[word as usize] >= min_count.max(1);
        let mut kept: Vec<u32> = (0..words.len() as u32).filter(is_kept).collect();
        sort_by_bytes(words, &mut kept, |&word| word);
        kept.sort_by_key(|&word| Reverse(totals[word as usize]));
        kept.truncate(max_vocab.unwrap_or(usize::MAX));
        if kept.is_empty() {
            return Err(CooccurrenceError::NoWordsLeft { words: distinct, min_count });
        }
        let mut ranks = vec![NO_WORD; words.len()];
        for (&word, rank) in kept.iter().zip(0..) {
            ranks[word as usize] = rank;
        }
        let terms = kept.iter().map(|&word| words.text(word)).collect();
        let counts = kept.iter().map(|&word| totals[word as usize]).collect();
        Ok(Self { terms, counts, ranks })
    }

    pub(super) fn len(&self) -> usize {
        self.counts.len()
    }

    /// The number that marks a break between words: no pair crosses it. It is above all ranks.
    pub(super) fn break_number(&self) -> u32 {
        self.len() as u32
    }

    /// The rank of each token, the break, or [`NO_WORD`] for what vanishes. Tokens are those of
    /// `dictionary`, unless lines do not matter.
    pub(super) fn numbers(
        &self,
        words: &Words<'_>,
        boundary: Boundary,
        dictionary: &Dictionary,
    ) -> Vec<u32> {
        let rank = |&word: &u32| match word {
            NO_WORD => NO_WORD,
            word => self.ranks[word as usize],
        };
        let mut numbers: Vec<u32> = words.numbers().iter().map(rank).collect();
        if boundary == Boundary::Line {
            for separator in dictionary.ids(TokenClass::Separator) {
                if dictionary.bytes(separator).contains(&b'\n') {
                    numbers[separator as usize] = self.break_number();
                }
            }
        }
        numbers
    }
}
