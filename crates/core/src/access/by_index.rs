//! Counting and finding phrases with the phrase indexes, where these are at hand and worth it.
//!
//! An index gives all matches of a phrase at once, in the order of the suffixes, so they are sorted.
//! Where a phrase matches very often, the traversal of the grammar passes matches on in order and holds
//! few of them.

use super::indexed::{Pattern, Place};
use super::{Access, Match, Phrase};
use crate::error::AccessError;
use std::ops::ControlFlow;

/// Counting this many phrases without an index takes about as long as building it.
const WORTH_AN_INDEX: u64 = 2000;

/// Matches are located and sorted only if that is faster than a traversal. Locating one takes as long as
/// reading this many bytes of a document, or symbols of all grammars.
const BYTES_A_PLACE: u64 = 1 << 14;
const SYMBOLS_A_PLACE: u64 = 1024;

/// As few as this are always located.
const FEW_PLACES: u64 = 16;

/// Most matches that are held in memory.
const MOST_PLACES: u64 = 1 << 16;

impl Access {
    /// How often a phrase occurs in all documents; `None` if that is better counted without an index.
    pub(super) fn count_by_index(&self, phrase: &Phrase) -> Result<Option<u64>, AccessError> {
        if !self.has_phrase_indexes() {
            let is_short = phrase.single().is_some();
            let must_do_without =
                !cfg!(feature = "phrases") || self.indexes.given_up.get().is_some();
            if is_short || must_do_without || self.without_indexes.spend(1, WORTH_AN_INDEX) {
                return Ok(None);
            }
            if self.build_phrase_indexes().is_err() {
                // Nobody asked for indexes; phrases are counted as before.
                let _ = self.indexes.given_up.set(());
                return Ok(None);
            }
        }
        let Some(words) = self.words_of_phrase(phrase)? else { return Ok(Some(0)) };
        self.count_words(&words).map(Some)
    }

    /// The words of a phrase by their numbers among the words of the dictionary; `None` if the corpus
    /// lacks one of them.
    pub(super) fn words_of_phrase(&self, phrase: &Phrase) -> Result<Option<Vec<u32>>, AccessError> {
        let words: Vec<&[u8]> = phrase.words().collect();
        let ids: Option<Vec<u32>> = self.tokens(&words)?.into_iter().collect();
        let first = self.corpus.dictionary()?.words().start;
        Ok(ids.and_then(|ids| ids.into_iter().map(|id| id.checked_sub(first)).collect()))
    }

    /// All places of a phrase, in order; `None` if there is no index, or a traversal is faster.
    pub(super) fn places_by_index(
        &self,
        phrase: &Phrase,
    ) -> Result<Option<Vec<Place>>, AccessError> {
        let symbols = self.corpus.facts().sizes.symbols;
        self.some_places(phrase, symbols / SYMBOLS_A_PLACE)
    }

    /// The same for a search in one document.
    pub(super) fn places_for_document(
        &self,
        document: usize,
        phrase: &Phrase,
    ) -> Result<Option<Vec<Place>>, AccessError> {
        if !self.has_phrase_indexes() {
            return Ok(None);
        }
        let mut places = self.some_places(phrase, self.size(document)? / BYTES_A_PLACE)?;
        if let Some(places) = &mut places {
            places.retain(|place| self.document_of(place) == document);
        }
        Ok(places)
    }

    /// All places of a phrase, in order, unless there are more than some.
    fn some_places(&self, phrase: &Phrase, most: u64) -> Result<Option<Vec<Place>>, AccessError> {
        if !self.has_phrase_indexes() {
            return Ok(None);
        }
        let Some(words) = self.words_of_phrase(phrase)? else { return Ok(Some(Vec::new())) };
        let sets = words.into_iter().map(|word| vec![word]).collect();
        let most = (FEW_PLACES + most).min(MOST_PLACES);
        self.places(&Pattern { sets }, most as usize)
    }

    /// The document in which a place begins.
    fn document_of(&self, place: &Place) -> usize {
        let (segment, word) = place.first;
        self.corpus.facts().segments[segment].first_document as usize + word.document
    }

    /// Calls `found` with the matches from an offset of a document on, in order, until it breaks.
    pub(super) fn each_place(
        &self,
        places: &[Place],
        from: (usize, u64),
        mut found: impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        let skipped = places.partition_point(|place| self.document_of(place) < from.0);
        for place in &places[skipped..] {
            let document = self.document_of(place);
            let ((segment, first), (end_segment, last)) = (place.first, place.last);
            let (offset, _) = self.offset_of(document, segment, first.in_segment)?;
            if document == from.0 && offset < from.1 {
                continue;
            }
            let (last, last_len) = self.offset_of(document, end_segment, last)?;
            let len = (last + last_len).saturating_sub(offset) as usize;
            if found(document, Match { offset, len }).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// The offset of a word in its document, and its length.
    fn offset_of(
        &self,
        document: usize,
        segment: usize,
        word: u32,
    ) -> Result<(u64, u64), AccessError> {
        let loaded = self.segment(segment)?;
        let Some(found) = loaded.word_offsets().find(loaded, word) else {
            let what = "it has more words than the segment".to_owned();
            let kind = crate::format::SectionKind::Phrases;
            return Err(self.corpus.inconsistent(kind, segment as u32, what).into());
        };
        let facts = &self.corpus.facts().segments[segment];
        let start = match found.document == 0 && facts.first_piece > 0 {
            true => self.piece_start(document, segment)?,
            false => 0,
        };
        let len = loaded.dictionary().bytes(found.token).len() as u64;
        Ok((start.saturating_add(found.offset), len))
    }
}
