//! Phrase indexes that a file stores.

use super::Corpus;
use crate::error::OpenError;
use crate::format::SectionKind;
use crate::grammar::Grammar;
use crate::phrases::{SegmentIndex, Wrong};
use crate::progress::Progress;

impl Corpus {
    /// Whether the file stores a phrase index for every segment, and the indexes hold for this corpus.
    #[must_use]
    pub fn has_phrase_index(&self) -> bool {
        let segments = self.facts.segments.len() as u32;
        let is_stored = |segment| self.container.find(SectionKind::Phrases, segment).is_some();
        self.variant.is_none() && segments > 0 && (0..segments).all(is_stored)
    }

    /// The phrase index of a segment, if the file stores it. Reads only its root.
    pub(crate) fn phrase_index(&self, segment: usize) -> Result<Option<SegmentIndex>, OpenError> {
        let section = self.container.find(SectionKind::Phrases, segment as u32);
        let Some(&section) = section.filter(|_| self.variant.is_none()) else { return Ok(None) };
        let index = SegmentIndex::open(&self.container, section);
        let index = index.map_err(|error| self.damaged(error))?;
        let facts = &self.facts.segments[segment];
        if index.document_count() as u64 != facts.documents
            || index.dictionary_words() as usize != self.dictionary()?.words().len()
            || u64::from(index.word_count()) != facts.sizes.text_words
        {
            let what = "its sizes are not those of the segment".to_owned();
            return Err(self.inconsistent(SectionKind::Phrases, segment as u32, what));
        }
        Ok(Some(index))
    }

    /// Checks the stored phrase index of a segment against its text.
    pub(super) fn check_phrases(
        &self,
        segment: usize,
        grammar: &Grammar,
        progress: &dyn Progress,
    ) -> Result<(), OpenError> {
        let Some(index) = self.phrase_index(segment)? else { return Ok(()) };
        let first_word = self.dictionary()?.words().start;
        index.verify(grammar, first_word, progress).map_err(|wrong| match wrong {
            Wrong::Container(error) => self.damaged(error),
            Wrong::Index(what) => self.inconsistent(SectionKind::Phrases, segment as u32, what),
            Wrong::Interrupted(interrupted) => interrupted.into(),
        })
    }
}
