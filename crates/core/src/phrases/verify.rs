//! Checks an index against the words of its segment, completely.
//!
//! The check walks from the end of each document to its beginning. From the suffix behind a word it
//! looks for the one entry of that word whose ψ is that suffix. Suppose that each word has as many
//! entries as it occurs, that their keys rise (which decoding checks), and that every step finds its
//! entry. Then no two places of the text share an entry: their walks would be the same to the end of
//! their documents, whose ranks differ. So entries and places correspond one to one; and since ψ rises
//! within each word, ranks are in the order of the suffixes. No wrong index passes.

use super::index::{SegmentIndex, Word};
use super::text::word_counts;
use crate::format::ContainerError;
use crate::grammar::{Grammar, Symbol};
use crate::progress::{Interrupted, Progress};
use rustc_hash::FxHashMap;

/// Words between two questions whether to stop.
const WORDS_A_CHECK: u32 = 1 << 16;

/// Why an index was not found right.
pub(crate) enum Wrong {
    /// The file cannot be read, or is damaged.
    Container(ContainerError),
    /// The index is not that of the text.
    Index(String),
    /// The work was asked to stop.
    Interrupted(Interrupted),
}

impl From<ContainerError> for Wrong {
    fn from(error: ContainerError) -> Self {
        Self::Container(error)
    }
}

impl From<Interrupted> for Wrong {
    fn from(error: Interrupted) -> Self {
        Self::Interrupted(error)
    }
}

impl SegmentIndex {
    /// Checks that this is the index of a segment, whose tokens below `first_word` are separators.
    pub(crate) fn verify(
        &self,
        grammar: &Grammar,
        first_word: u32,
        progress: &dyn Progress,
    ) -> Result<(), Wrong> {
        let wrong = |what: &str| Err(Wrong::Index(what.to_owned()));
        let words = (grammar.tokens() - first_word) as usize;
        let uses = grammar.uses();
        let counts = &uses[first_word as usize..grammar.tokens() as usize];
        let entries = counts.iter().fold(0u64, |sum, &count| sum.saturating_add(count));
        let documents = self.document_count();
        if documents != grammar.doc_count()
            || u64::from(self.shape.entries) != entries
            || self.shape.words as usize != words
        {
            return wrong("its sizes are not those of the text");
        }
        let mut words: Vec<Option<Word>> = Vec::with_capacity(counts.len());
        for (word, &count) in (0..).zip(counts) {
            let found = self.word(word)?;
            if found.as_ref().map_or(0, |word| u64::from(word.count())) != count {
                return wrong("a word does not occur as often as it says");
            }
            words.push(found);
        }
        let extra: FxHashMap<u32, u32> = self.extra.iter().copied().collect();
        let step = 1 << self.shape.sample_bits;
        let empty = word_counts(grammar, first_word).into_iter().map(|words| words == 0);
        let empty: Vec<bool> = empty.collect();
        // The place behind the next symbol, and the rank of the suffix there.
        let (mut place, mut rank) = (self.shape.suffixes() as u32, 0);
        for document in (0..documents).rev() {
            place -= 1;
            rank = document as u32;
            if self.start_of(document + 1)? != place + 1 {
                return wrong("a document does not end where it says");
            }
            let pending = vec![grammar.document(document)];
            for word in (Back { grammar, first_word, empty: &empty, pending }) {
                if place.is_multiple_of(WORDS_A_CHECK) {
                    progress.check()?;
                }
                let word = words[word as usize].as_ref().expect("it occurs");
                let before = self.one_before(word, rank)?;
                let Some((before, at)) = before.zip(place.checked_sub(1)) else {
                    return wrong("a word is not followed by what follows it in the text");
                };
                (rank, place) = (before, at);
                let entry = rank - self.shape.documents;
                let stored = match entry % step {
                    0 => Some(self.sample(entry / step)?),
                    _ => extra.get(&entry).copied(),
                };
                if stored.is_some_and(|stored| stored != place) {
                    return wrong("a stored place is not where its word is");
                }
            }
        }
        if place != 0 || documents > 0 && (self.first() != rank || self.start_of(0)? != 0) {
            return wrong("the first document does not begin where it says");
        }
        Ok(())
    }
}

/// The words of a document from its last to its first, without holding its text.
struct Back<'a> {
    grammar: &'a Grammar,
    first_word: u32,
    /// Which rules have no words.
    empty: &'a [bool],
    /// What is left of the right-hand sides that are being read.
    pending: Vec<&'a [Symbol]>,
}

impl Iterator for Back<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        loop {
            let rest = self.pending.last_mut()?;
            let Some((&symbol, before)) = rest.split_last() else {
                self.pending.pop();
                continue;
            };
            *rest = before;
            match self.grammar.as_rule(symbol) {
                Some(rule) if self.empty[rule] => {}
                Some(rule) => self.pending.push(self.grammar.rule(rule)),
                None if symbol < self.first_word => {}
                None => return Some(symbol - self.first_word),
            }
        }
    }
}
