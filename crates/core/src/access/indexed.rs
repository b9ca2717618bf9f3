//! Phrases by the phrase index of each segment, and across the borders of segments.
//!
//! A pattern has, for each of its words, the words that may be there: one, or all spellings that a view
//! treats as equal, or all that begin with a prefix. Inside a segment the index answers. A document that
//! continues in the next segment may have matches across the border. Those are few: for each border and
//! each way to divide the pattern, the words around the border are compared.

use super::Access;
use crate::corpus::Corpus;
use crate::error::{AccessError, OpenError};
use crate::format::ContainerError;
use crate::lazy::Lazy;
use crate::phrases::{Ranks, SegmentIndex, WordPlace};
use std::sync::OnceLock;

/// For each word of a phrase, the words that match it, by their numbers among the words of the
/// dictionary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) sets: Vec<Vec<u32>>,
}

/// A suffix in one of the segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) segment: usize,
    pub(super) rank: u32,
}

/// Where a pattern matches: its first and its last word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub(super) first: (usize, WordPlace),
    pub(super) last: (usize, u32),
}

/// The phrase indexes of a corpus: read from its file, or built in memory.
pub(super) struct Indexes {
    segments: Vec<Lazy<SegmentIndex>>,
    /// Whether the file has all of them.
    are_stored: OnceLock<bool>,
    /// Set once they could not be built unasked.
    pub(super) given_up: OnceLock<()>,
}

impl Indexes {
    pub(super) fn new(segments: usize) -> Self {
        let segments = (0..segments).map(|_| Lazy::default()).collect();
        Self { segments, are_stored: OnceLock::new(), given_up: OnceLock::new() }
    }

    /// Whether all are in memory, at least their roots.
    pub(super) fn are_made(&self) -> bool {
        !self.segments.is_empty() && self.segments.iter().all(|segment| segment.made().is_some())
    }
}

impl Access {
    /// Whether phrases are counted with indexes: because the file has them, or they were built.
    pub(super) fn has_phrase_indexes(&self) -> bool {
        let are_stored = || *self.indexes.are_stored.get_or_init(|| self.corpus.has_phrase_index());
        self.indexes.are_made() || are_stored()
    }

    /// Builds the phrase indexes that the file lacks.
    pub(crate) fn build_phrase_indexes(&self) -> Result<(), AccessError> {
        use rayon::prelude::*;
        let numbers = 0..self.segments.len();
        numbers.into_par_iter().try_for_each(|number| self.index(number).map(drop))
    }

    /// Bytes of memory that phrase indexes take.
    pub(crate) fn phrase_index_memory(&self) -> usize {
        let made = self.indexes.segments.iter().filter_map(Lazy::made);
        made.map(SegmentIndex::memory).sum()
    }

    /// The index of a segment.
    pub(super) fn index(&self, number: usize) -> Result<&SegmentIndex, AccessError> {
        if let Some(index) = self.indexes.segments[number].made() {
            return Ok(index);
        }
        self.indexes.segments[number].try_get(|| match self.corpus.phrase_index(number)? {
            Some(index) => Ok(index),
            None => {
                let first_word = self.corpus.dictionary()?.words().start;
                Ok(match self.segments[number].made() {
                    Some(segment) => SegmentIndex::build(&segment.grammar, first_word)?,
                    None => SegmentIndex::build(&self.corpus.segment(number)?, first_word)?,
                })
            }
        })
    }

    /// How often a sequence of words occurs in all documents.
    pub(super) fn count_words(&self, words: &[u32]) -> Result<u64, AccessError> {
        let mut count = 0;
        for number in 0..self.segments.len() {
            let index = self.index(number)?;
            count += self.corpus.in_index(index.ranks_of(words))?.len() as u64;
            if words.len() > 1 && self.continues(number) {
                let is_word = |at: usize, word| words[at] == word;
                let across = self.across(number, words.len(), &is_word, &|at| &words[at..=at])?;
                count += across.len() as u64;
            }
        }
        Ok(count)
    }

    /// How often a pattern matches in all documents.
    pub(crate) fn count_pattern(&self, pattern: &Pattern) -> Result<u64, AccessError> {
        let mut count = 0;
        for number in 0..self.segments.len() {
            let ranks = self.corpus.in_index(self.index(number)?.ranks_of_sets(&pattern.sets))?;
            count += ranks.iter().map(|ranks| ranks.len() as u64).sum::<u64>();
            count += self.across_pattern(number, pattern)?.len() as u64;
        }
        Ok(count)
    }

    /// The first words of the matches of a pattern that end in a segment and begin before it.
    pub(super) fn across_pattern(
        &self,
        number: usize,
        Pattern { sets }: &Pattern,
    ) -> Result<Vec<Crossing>, AccessError> {
        if sets.len() < 2 || !self.continues(number) {
            return Ok(Vec::new());
        }
        let is_word = |at: usize, word| sets[at].contains(&word);
        self.across(number, sets.len(), &is_word, &|at| &sets[at])
    }

    /// Whether a segment begins with the rest of a document.
    pub(super) fn continues(&self, number: usize) -> bool {
        let facts = &self.corpus.facts().segments[number];
        number > 0 && facts.documents > 0 && facts.first_piece > 0
    }

    /// The matches of `len` words that end in a segment and begin before it.
    fn across<'w>(
        &self,
        number: usize,
        len: usize,
        is_word: &dyn Fn(usize, u32) -> bool,
        words_at: &dyn Fn(usize) -> &'w [u32],
    ) -> Result<Vec<Crossing>, AccessError> {
        let index = self.index(number)?;
        let border = Cursor { segment: number, rank: index.first() };
        let mut found = Vec::new();
        // The words behind the border, as far as they have been needed, and the suffix at each.
        let mut behind = Vec::new();
        let mut next = Some(border.rank);
        for split in (1..len).rev() {
            let mut is_match = true;
            for at in split..len {
                if behind.len() == at - split {
                    let Some(rank) = next else { break };
                    let Some(word) = self.corpus.in_index(index.word_of(rank))? else {
                        next = None;
                        break;
                    };
                    behind.push((word, rank));
                    next = self.corpus.in_index(index.next(rank))?;
                }
                if !is_word(at, behind[at - split].0) {
                    is_match = false;
                    break;
                }
            }
            if !is_match || behind.len() < len - split {
                continue;
            }
            let mut first = Some(border);
            for at in (0..split).rev() {
                let Some(here) = first else { break };
                first = self.word_before(here, words_at(at))?;
            }
            if let Some(first) = first {
                found.push(Crossing { first, last: behind[len - split - 1].1 });
            }
        }
        Ok(found)
    }

    /// The suffix one word earlier in the text, if that word is one of these.
    pub(super) fn word_before(
        &self,
        mut cursor: Cursor,
        words: &[u32],
    ) -> Result<Option<Cursor>, AccessError> {
        // Pieces without words are passed.
        while cursor.rank == self.index(cursor.segment)?.first() {
            let Some(before) = self.segment_before(cursor.segment) else { return Ok(None) };
            let last = self.index(before)?.document_count() as u32 - 1;
            cursor = Cursor { segment: before, rank: last };
        }
        let index = self.index(cursor.segment)?;
        for &word in words {
            let Some(word) = self.corpus.in_index(index.word(word))? else { continue };
            if let Some(rank) = self.corpus.in_index(index.one_before(&word, cursor.rank))? {
                return Ok(Some(Cursor { rank, ..cursor }));
            }
        }
        Ok(None)
    }

    /// The first word of a suffix and the suffix behind it, also in the next segment; `None` at the end
    /// of the document.
    pub(super) fn word_after(
        &self,
        mut cursor: Cursor,
    ) -> Result<Option<(u32, Cursor)>, AccessError> {
        loop {
            let index = self.index(cursor.segment)?;
            if let Some(word) = self.corpus.in_index(index.word_of(cursor.rank))? {
                let next = self.corpus.in_index(index.next(cursor.rank))?;
                let rank = next.expect("a word is not the end of a document");
                return Ok(Some((word, Cursor { rank, ..cursor })));
            }
            let is_last = cursor.rank as usize + 1 == index.document_count();
            let next = is_last.then(|| self.segment_after(cursor.segment)).flatten();
            let Some(segment) = next else { return Ok(None) };
            cursor = Cursor { segment, rank: self.index(segment)?.first() };
        }
    }

    /// The segment in which the first document of this one begins or continues before it.
    fn segment_before(&self, number: usize) -> Option<usize> {
        let segments = &self.corpus.facts().segments;
        let mut before = (0..number).rev();
        self.continues(number).then(|| before.find(|&before| segments[before].documents > 0))?
    }

    /// The segment in which the last document of this one continues.
    pub(super) fn segment_after(&self, number: usize) -> Option<usize> {
        let segments = &self.corpus.facts().segments;
        let next = (number + 1..segments.len()).find(|&next| segments[next].documents > 0)?;
        self.continues(next).then_some(next)
    }

    /// How many matches a pattern has at most `most`, and all of them if they are not more.
    pub(super) fn places(
        &self,
        pattern: &Pattern,
        most: usize,
    ) -> Result<Option<Vec<Place>>, AccessError> {
        let mut found: Vec<(usize, Vec<Ranks>)> = Vec::new();
        let mut total = 0;
        for number in 0..self.segments.len() {
            let ranks = self.corpus.in_index(self.index(number)?.ranks_of_sets(&pattern.sets))?;
            total += ranks.iter().map(ExactSizeIterator::len).sum::<usize>();
            if total > most {
                return Ok(None);
            }
            found.push((number, ranks));
        }
        let more = pattern.sets.len() as u32 - 1;
        let mut places = Vec::with_capacity(total);
        for (number, ranks) in found {
            let index = self.index(number)?;
            for rank in ranks.into_iter().flatten() {
                let first = self.corpus.in_index(index.place(rank))?;
                let last = (number, first.in_segment + more);
                places.push(Place { first: (number, first), last });
            }
            for Crossing { first, last } in self.across_pattern(number, pattern)? {
                let start = self.index(first.segment)?;
                let start = self.corpus.in_index(start.place(first.rank))?;
                let end = self.corpus.in_index(index.place(last))?;
                let (first, last) = ((first.segment, start), (number, end.in_segment));
                places.push(Place { first, last });
            }
        }
        places.sort_unstable();
        Ok(Some(places))
    }
}

/// A match across the border of a segment: its first word, and its last one, by its rank in the segment
/// in which it ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub(super) first: Cursor,
    pub(super) last: u32,
}

impl Corpus {
    /// Adds the file to an error of an index.
    pub(super) fn in_index<T>(&self, result: Result<T, ContainerError>) -> Result<T, OpenError> {
        result.map_err(|error| self.damaged(error))
    }
}
