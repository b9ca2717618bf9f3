//! A corpus with edits that have not been made yet.
//!
//! Most of what edits change of a corpus is where something stands in it, and to know that, all of
//! them have to be made. How often each word stands in the whole corpus is known without: from the
//! words of the file, and by how much the edits change their number.

use super::{Corpus, Patch, SegmentTally, Shift};
use crate::access::Access;
use crate::error::Error;
use crate::format::DocumentTable;
use crate::lazy::Lazy;
use crate::token::Dictionary;
use std::sync::{Arc, OnceLock};

/// Edits that have not been made.
pub(crate) trait Unmade: Send + Sync {
    /// All documents as they are with the edits.
    fn documents(&self) -> Result<DocumentTable, Error>;

    /// Makes them.
    fn make(&self) -> Result<Patch, Error>;
}

/// Edits that are made when somebody needs them.
pub(crate) struct Deferred {
    pub(crate) totals: Totals,
    edits: Box<dyn Unmade>,
    documents: OnceLock<DocumentTable>,
    made: Lazy<Patch>,
}

/// How often each word stands in a corpus with edits: as in the file, and a change.
pub(crate) struct Totals {
    pub(crate) access: Arc<Access>,
    /// The tokens of the file, and the words that only the edits have.
    pub(crate) dictionary: Dictionary,
    /// From the file's tokens to those.
    pub(crate) shift: Shift,
    /// Of tokens, by how much their number has changed; the same may be there several times.
    pub(crate) changes: Vec<(u32, i64)>,
}

impl Totals {
    /// The corpus in the file.
    pub(crate) fn file(&self) -> &Arc<Corpus> {
        self.access.corpus()
    }

    /// A segment of the file, tallied; from memory, if it is there.
    pub(crate) fn segment_tally(
        &self,
        number: usize,
        threads: usize,
    ) -> Result<SegmentTally, Error> {
        match self.access.loaded(number) {
            Some(grammar) => Ok(SegmentTally::of(grammar)),
            None => self.file().segment_tally_by(number, threads),
        }
    }
}

impl Deferred {
    pub(crate) fn new(totals: Totals, edits: Box<dyn Unmade>) -> Self {
        Self { totals, edits, documents: OnceLock::new(), made: Lazy::default() }
    }

    /// All documents as they are with the edits.
    pub(super) fn documents(&self) -> Result<&DocumentTable, Error> {
        if let Some(documents) = self.documents.get() {
            return Ok(documents);
        }
        let documents = self.edits.documents()?;
        Ok(self.documents.get_or_init(|| documents))
    }

    /// Whether the edits have been made by now.
    pub(super) fn is_made(&self) -> bool {
        self.made.made().is_some()
    }

    /// What the edits have made of the corpus.
    pub(super) fn patch(&self) -> Result<&Patch, Error> {
        self.made.try_get_of_others(|| self.edits.make())
    }
}
