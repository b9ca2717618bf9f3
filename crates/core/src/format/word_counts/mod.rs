//! How often each word occurs in each document of a segment: section WDOC. This is the product of the
//! paper's word2rule and rule2file.
//!
//! A document's words are a sorted list of ids, so looking up a count is a binary search. A count takes
//! one byte; the few counts above 254 are kept in a separate list.

mod build;
mod codec;

use std::ops::Range;

/// Marks a count that is in the separate list.
const ASIDE: u8 = u8::MAX;

/// Counts of words in the documents of a segment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WordCounts {
    /// Where each document's words begin in `words`, and the end.
    starts: Vec<u32>,
    words: Vec<u32>,
    counts: ShortCounts,
}

/// Counts, most of which are small.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ShortCounts {
    bytes: Vec<u8>,
    /// The places of large counts, in rising order, and the counts.
    aside: Vec<(u32, u64)>,
}

impl ShortCounts {
    fn push(&mut self, count: u64) {
        if count >= u64::from(ASIDE) {
            self.aside.push((self.bytes.len() as u32, count));
        }
        self.bytes.push(count.min(u64::from(ASIDE)) as u8);
    }

    /// The count at a place.
    #[inline(always)]
    pub(crate) fn get(&self, at: usize) -> u64 {
        match self.bytes[at] {
            ASIDE => self.large(at),
            count => u64::from(count),
        }
    }

    #[cold]
    fn large(&self, at: usize) -> u64 {
        let place = self.aside.partition_point(|&(place, _)| (place as usize) < at);
        self.aside[place].1
    }
}

impl WordCounts {
    /// Of no documents.
    pub(crate) fn none() -> Self {
        Self { starts: vec![0], ..Self::default() }
    }

    fn push(&mut self, word: u32, count: u64) {
        self.words.push(word);
        self.counts.push(count);
    }

    /// Adds a document, whose words must be in rising order.
    pub(crate) fn push_document(&mut self, words: impl Iterator<Item = (u32, u64)>) {
        words.for_each(|(word, count)| self.push(word, count));
        self.end_document();
    }

    fn end_document(&mut self) {
        self.starts.push(self.words.len() as u32);
    }

    /// Adds a word of an earlier document, with its count there.
    fn copy(&mut self, at: usize) {
        self.push(self.words[at], self.count_at(at));
    }

    /// The range of the last document's words in `words`.
    fn last_document(&self) -> Range<usize> {
        let end = self.starts.len() - 1;
        self.starts[end.saturating_sub(1)] as usize..self.starts[end] as usize
    }

    /// The same counts with other ids for the words.
    pub(crate) fn renumbered(&self, of: impl Fn(u32) -> u32) -> Self {
        let mut all = Self::none();
        let mut words: Vec<(u32, u64)> = Vec::new();
        for document in 0..self.documents() {
            words.clear();
            words.extend(self.document(document).map(|(word, count)| (of(word), count)));
            words.sort_unstable();
            all.push_document(words.iter().copied());
        }
        all
    }

    /// Gives each word its id in a larger dictionary. The order of ids must stay.
    pub(crate) fn renumber(&mut self, ids: &[u32]) {
        self.words.iter_mut().for_each(|word| *word = ids[*word as usize]);
    }

    /// How often a word occurs in a document.
    pub(crate) fn get(&self, document: usize, word: u32) -> u64 {
        let (start, end) = (self.starts[document] as usize, self.starts[document + 1] as usize);
        match self.words[start..end].binary_search(&word) {
            Err(_) => 0,
            Ok(at) => self.count_at(start + at),
        }
    }

    /// The words of a document, in rising order, and how often each occurs in it.
    pub(crate) fn document(&self, document: usize) -> impl Iterator<Item = (u32, u64)> {
        let range = self.starts[document] as usize..self.starts[document + 1] as usize;
        range.map(|at| (self.words[at], self.count_at(at)))
    }

    /// Number of documents.
    pub(crate) fn documents(&self) -> usize {
        self.starts.len() - 1
    }

    /// Where each document's words begin, and the end; the words; their counts.
    pub(crate) fn into_parts(self) -> (Vec<u32>, Vec<u32>, ShortCounts) {
        (self.starts, self.words, self.counts)
    }

    fn count_at(&self, at: usize) -> u64 {
        self.counts.get(at)
    }
}
