//! Checks a whole file.

use super::Corpus;
use crate::error::OpenError;
use crate::expand::Expander;
use crate::format::SectionKind;
use crate::format::word_counts::WordCounts;
use crate::grammar::Grammar;
use crate::progress::{Progress, Stage};

impl Corpus {
    /// Checks the whole file: every checksum, the form of every section, the size of every document, and
    /// every stored count. Pending edits are not part of the file.
    ///
    /// # Errors
    /// The first damage found.
    pub fn verify(&self, progress: &dyn Progress) -> Result<(), OpenError> {
        progress.expect(Stage::Verifying, self.compressed_bytes());
        self.verify_parts(progress)
    }

    /// As [`verify`](Self::verify), without reporting how much there is to do.
    pub(crate) fn verify_parts(&self, progress: &dyn Progress) -> Result<(), OpenError> {
        if let Some(variant) = &self.variant {
            return variant.verify_parts(progress);
        }
        for section in self.container.sections() {
            progress.check()?;
            self.container.read(section).map_err(|error| self.damaged(error))?;
            progress.advance(Stage::Verifying, section.len);
        }
        self.threshold()?;
        if let Some(id) = self.dictionary()?.first_foreign() {
            let what = format!("token {id} is not one token by the rules of the tokeniser");
            return Err(self.inconsistent(SectionKind::Dictionary, 0, what));
        }
        let documents = self.documents()?;
        let mut sizes = vec![0u64; documents.len()];
        let mut totals = vec![0u64; self.dictionary()?.len()];
        for (number, facts) in self.facts.segments.iter().enumerate() {
            progress.check()?;
            let grammar = self.segment(number)?;
            grammar.validate().map_err(|error| {
                self.inconsistent(SectionKind::Segment, number as u32, error.to_string())
            })?;
            self.check_envelopes(number)?;
            self.check_word_counts(number, &grammar)?;
            self.check_phrases(number, &grammar, progress)?;
            totals.iter_mut().zip(grammar.uses()).for_each(|(total, uses)| {
                *total = total.saturating_add(uses);
            });
            let expander = Expander::new(&grammar, self.dictionary()?);
            for document in 0..grammar.doc_count() {
                let size = &mut sizes[facts.first_document as usize + document];
                *size = size.saturating_add(expander.len(grammar.document(document)));
            }
        }
        self.check_word_totals(&totals)?;
        match (0..sizes.len()).find(|&document| sizes[document] != documents.known_size(document)) {
            None => Ok(()),
            Some(document) => {
                let name = String::from_utf8_lossy(documents.known_name(document)).into_owned();
                let what = format!(
                    "{name} expands to {} bytes, its size is {}",
                    sizes[document],
                    documents.known_size(document)
                );
                Err(self.inconsistent(SectionKind::Documents, 0, what))
            }
        }
    }

    /// Checks that all documents that begin in a segment have an envelope, or none has.
    fn check_envelopes(&self, number: usize) -> Result<(), OpenError> {
        let facts = &self.facts.segments[number];
        let begin = facts.documents - u64::from(facts.documents > 0 && facts.first_piece > 0);
        let found = self.envelopes(number)?.map_or(0, |envelopes| envelopes.len() as u64);
        if found == begin || (found == 0 && !self.facts.has_envelopes) {
            return Ok(());
        }
        let what = format!("{found} envelopes for {begin} documents");
        Err(self.inconsistent(SectionKind::Envelopes, number as u32, what))
    }

    /// Checks the stored word counts of a segment against its text.
    fn check_word_counts(&self, number: usize, grammar: &Grammar) -> Result<(), OpenError> {
        match self.word_counts(number)? {
            Some(counts) if counts != WordCounts::new(grammar, self.dictionary()?) => {
                let what = "the counts are not those of the text".to_owned();
                Err(self.inconsistent(SectionKind::WordCounts, number as u32, what))
            }
            _ => Ok(()),
        }
    }
}
