//! N-grams of several lengths as items: words, and sequences of each longer length.
//!
//! Each length is counted as the tasks count it, by any traversal. Here the counts of a document are
//! put together. Keys have the words of the longest n-gram; shorter ones have 0 in the places that
//! are left, so that an n-gram comes before those that it begins.

use super::document_counts::CountDocument;
use super::passes::passes;
use super::sequence_items::{self, SequenceItems, SequenceScratch};
use super::word_items::{self, WordItems, WordScratch};
use super::{Count, Prepare, Ranged, Setting};
use crate::analytics::sequences::{Border, Key, Packing, PieceEnds};
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::Grammar;
use std::ops::{Range, RangeInclusive};

/// Counts n-grams of a range of lengths.
pub(crate) struct NgramItems<'s, K> {
    setting: &'s Setting<'s>,
    /// Of the longest n-grams.
    packing: Packing,
    words: Option<WordItems<'s>>,
    /// By length.
    sequences: Vec<SequenceItems<'s, K>>,
    /// Only n-grams whose first word has a rank in this range are counted.
    first_words: Range<u32>,
}

/// What is prepared for a segment.
pub(crate) struct Prepared<K> {
    words: Option<word_items::Prepared>,
    sequences: Vec<sequence_items::Prepared<K>>,
}

/// What a thread writes to.
pub(crate) struct NgramScratch<K> {
    words: Option<WordScratch>,
    sequences: Vec<SequenceScratch<K>>,
    /// The words of a document.
    of_words: Vec<(u64, u64)>,
    /// The sequences of one length of a document.
    of_length: Vec<(K, u64)>,
}

impl<'s, K: Key> NgramItems<'s, K> {
    /// `packing` is that of the longest n-grams.
    pub(crate) fn new(
        setting: &'s Setting<'s>,
        lengths: &RangeInclusive<usize>,
        packing: Packing,
    ) -> Self {
        // No document has longer ones.
        let most = usize::try_from(setting.plan.corpus.facts().sizes.text_words);
        let longest = most.map_or(*lengths.end(), |most| most.min(*lengths.end()));
        let sequences = (*lengths.start().max(&2)..=longest)
            .map(|n| SequenceItems::new(setting, Packing { n, ..packing }))
            .collect();
        let words = lengths.contains(&1).then(|| WordItems::new(setting));
        Self { setting, packing, words, sequences, first_words: 0..u32::MAX }
    }

    pub(crate) fn packing(&self) -> &Packing {
        &self.packing
    }

    /// Ranges of first words such that the n-grams of each fit in memory, each at `bytes` bytes.
    pub(crate) fn passes(&self, bytes: usize) -> Result<Vec<Range<u32>>, QueryError> {
        let lengths = self.sequences.len() + usize::from(self.words.is_some());
        let beyond = if K::fits_inline() { 0 } else { 4 * self.packing.n + 16 };
        let bytes = (lengths * (bytes + beyond)).max(1) as u64;
        passes(self.setting, &self.setting.plan.segments, bytes, |total| total)
    }

    /// Counts only n-grams whose first word has a rank in `first_words` from now on.
    pub(crate) fn within(&mut self, first_words: Range<u32>) {
        let is_all = first_words == (0..u32::MAX);
        let first = if is_all { 0 } else { self.packing.first_word };
        let range = first_words.start.saturating_add(first)..first_words.end.saturating_add(first);
        self.sequences.iter_mut().for_each(|sequences| sequences.within(range.clone()));
        self.first_words = first_words;
    }

    fn key_of_word(&self, rank: u64) -> K {
        let first =
            K::empty(&self.packing).roll(rank as u32 + self.packing.first_word, &self.packing);
        (1..self.packing.n).fold(first, |key, _| key.roll(0, &self.packing))
    }

    /// The key of a sequence that was counted with a shorter packing.
    fn pad(&self, key: K, of: &Packing) -> K {
        if of.n == self.packing.n {
            return key;
        }
        key.pad(of, &self.packing)
    }
}

impl<K: Key> Prepare for NgramItems<'_, K> {
    type Prepared = Prepared<K>;

    fn prepare(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        by_document: bool,
    ) -> Result<Prepared<K>, QueryError> {
        let words = self.words.as_ref();
        let words = words.map(|words| words.prepare(segment, documents, by_document));
        let sequences = self.sequences.iter();
        let sequences = sequences.map(|items| items.prepare(segment, documents, by_document));
        Ok(Prepared { words: words.transpose()?, sequences: sequences.collect::<Result<_, _>>()? })
    }

    fn visited_before(segment: Documents<'_>, prepared: &Prepared<K>) -> u64 {
        let words = prepared.words.as_ref();
        let words = words.map_or(0, |words| WordItems::visited_before(segment, words));
        let sequences = prepared.sequences.iter();
        let visited = |of| SequenceItems::<K>::visited_before(segment, of);
        words + sequences.map(visited).sum::<u64>()
    }
}

impl<K: Key> CountDocument for NgramItems<'_, K> {
    type Key = K;
    type Scratch = NgramScratch<K>;
    type Ends = Vec<PieceEnds>;
    type Border = Vec<Border>;

    fn scratch(&self, prepared: &Prepared<K>) -> NgramScratch<K> {
        let words = self.words.as_ref().zip(prepared.words.as_ref());
        let sequences = self.sequences.iter().zip(&prepared.sequences);
        NgramScratch {
            words: words.map(|(items, prepared)| CountDocument::scratch(items, prepared)),
            sequences: sequences
                .map(|(items, prepared)| CountDocument::scratch(items, prepared))
                .collect(),
            of_words: Vec::new(),
            of_length: Vec::new(),
        }
    }

    fn count_document(
        &self,
        documents: Documents<'_>,
        prepared: &Prepared<K>,
        document: usize,
        scratch: &mut NgramScratch<K>,
        counts: &mut Vec<(K, u64)>,
    ) -> Result<u64, QueryError> {
        let NgramScratch { words, sequences, of_words, of_length } = scratch;
        let from = counts.len();
        let mut visited = 0;
        let items = self.words.as_ref().zip(prepared.words.as_ref()).zip(words.as_mut());
        if let Some(((items, prepared), scratch)) = items {
            visited += items.count_document(documents, prepared, document, scratch, of_words)?;
            let wanted =
                of_words.drain(..).filter(|(rank, _)| self.first_words.contains(&(*rank as u32)));
            counts.extend(wanted.map(|(rank, count)| (self.key_of_word(rank), count)));
        }
        let items = self.sequences.iter().zip(&prepared.sequences).zip(sequences);
        for ((items, prepared), scratch) in items {
            visited += items.count_document(documents, prepared, document, scratch, of_length)?;
            let of = items.packing();
            counts.extend(of_length.drain(..).map(|(key, count)| (self.pad(key, of), count)));
        }
        // The list of each length is in order, which a stable sort makes use of.
        counts[from..].sort_by(|a, b| a.0.cmp(&b.0));
        Ok(visited)
    }

    fn ends(&self, grammar: &Grammar, document: usize) -> Vec<PieceEnds> {
        self.sequences.iter().map(|items| items.ends(grammar, document)).collect()
    }

    fn cross(&self, border: &mut Vec<Border>, ends: &Vec<PieceEnds>, sink: &mut dyn FnMut(K)) {
        border.resize_with(self.sequences.len(), Border::default);
        for ((items, border), ends) in self.sequences.iter().zip(border).zip(ends) {
            let of = items.packing();
            items.cross(border, ends, &mut |key| sink(self.pad(key, of)));
        }
    }
}
