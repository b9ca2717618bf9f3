//! How often each word occurs in the whole corpus, if the file stores that.

use super::Corpus;
use crate::error::OpenError;
use crate::format::SectionKind;
use crate::format::word_totals;
use std::ops::Range;

/// How often each word occurs in all documents together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WordTotals {
    /// The id of the first word. Lower ids are separators.
    first: u32,
    /// The totals of that word and the following ones.
    counts: Vec<u64>,
}

impl WordTotals {
    /// No occurrences of any of these words.
    pub(super) fn zero(words: Range<u32>) -> Self {
        Self { first: words.start, counts: vec![0; words.len()] }
    }

    /// Adds occurrences of a word.
    pub(super) fn add(&mut self, word: u32, count: u64) {
        let total = &mut self.counts[(word - self.first) as usize];
        *total = total.saturating_add(count);
    }

    /// The total of a word; `None` for a separator.
    pub(crate) fn of(&self, word: u32) -> Option<u64> {
        self.counts.get(word.checked_sub(self.first)? as usize).copied()
    }

    /// The ids of all words, with their counts.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u32, u64)> {
        (self.first..).zip(self.counts.iter().copied())
    }
}

impl Corpus {
    /// Whether the file stores word totals and they hold for this corpus.
    pub(crate) fn has_word_totals(&self) -> bool {
        match &self.variant {
            Some(variant) => variant.has_word_totals(),
            None => self.container.find(SectionKind::WordTotals, 0).is_some(),
        }
    }

    /// How often each word occurs in all documents together, if the file stores that.
    pub(crate) fn word_totals(&self) -> Result<Option<&WordTotals>, OpenError> {
        if !self.has_word_totals() {
            return Ok(None);
        }
        if let Some(variant) = &self.variant {
            return variant.word_totals();
        }
        let words = self.dictionary()?.words();
        let parse = |bytes: &[u8]| {
            let counts = word_totals::decode(bytes, words.len())?;
            Ok(WordTotals { first: words.start, counts })
        };
        self.once(&self.word_totals, SectionKind::WordTotals, parse).map(Some)
    }

    /// Checks the stored totals against those of the text, `found`, by token.
    pub(super) fn check_word_totals(&self, found: &[u64]) -> Result<(), OpenError> {
        match self.word_totals()? {
            Some(totals) if totals.iter().any(|(word, count)| found[word as usize] != count) => {
                let what = "the counts are not those of the text".to_owned();
                Err(self.inconsistent(SectionKind::WordTotals, 0, what))
            }
            _ => Ok(()),
        }
    }
}
