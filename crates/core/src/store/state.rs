//! What readers see: the compressed corpus, and the edits over it.

use super::overlay::word_change::Sum;
use super::overlay::{BaseNames, Overlay};
use crate::access::{Access, Phrase};
use crate::corpus::Corpus;
use crate::error::{AccessError, NoDocument, OpenError};
use crate::names;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, OnceLock};
use xxhash_rust::xxh3::xxh3_64;

/// What readers see.
pub(in crate::store) struct State {
    pub(in crate::store) access: Arc<Access>,
    pub(in crate::store) overlay: Overlay,
    pub(in crate::store) names: OnceLock<BaseNames>,
    /// Hashes of the folders of documents in the file.
    pub(in crate::store) folders: OnceLock<FxHashSet<u64>>,
    /// The change of the word counts by the first edits, and the number of those; `None` if unknown.
    pub(in crate::store) words: Option<(u64, Sum)>,
    /// The last snapshot, and the number of its edits.
    pub(in crate::store) snapshot: Mutex<Option<(u64, Arc<Corpus>)>>,
}

impl State {
    pub(in crate::store) fn new(corpus: Arc<Corpus>) -> Self {
        let documents = corpus.facts().documents as usize;
        Self {
            access: Arc::new(Access::new(corpus)),
            overlay: Overlay::new(documents),
            names: OnceLock::new(),
            folders: OnceLock::new(),
            words: None,
            snapshot: Mutex::default(),
        }
    }

    /// The change of the word counts by all edits, if it is known.
    pub(in crate::store) fn words(&self) -> Option<&Sum> {
        let (edits, words) = self.words.as_ref()?;
        (*edits == self.overlay.edits).then_some(words)
    }

    /// A copy that later edits do not change.
    pub(in crate::store) fn frozen(&self) -> Self {
        Self {
            access: Arc::clone(&self.access),
            overlay: self.overlay.clone(),
            names: OnceLock::new(),
            folders: OnceLock::new(),
            words: None,
            snapshot: Mutex::default(),
        }
    }

    pub(in crate::store) fn find(&self, name: &[u8]) -> Result<Option<usize>, OpenError> {
        let table = self.access.corpus().documents()?;
        let names = self.names.get_or_init(|| BaseNames::new(table));
        Ok(self.overlay.find(names, table, name))
    }

    pub(in crate::store) fn find_all(&self, name: &[u8]) -> Result<Vec<usize>, OpenError> {
        let table = self.access.corpus().documents()?;
        let names = self.names.get_or_init(|| BaseNames::new(table));
        Ok(self.overlay.find_all(names, table, name))
    }

    pub(in crate::store) fn folders(&self) -> Result<&FxHashSet<u64>, OpenError> {
        let table = self.access.corpus().documents()?;
        let folders = || table.iter().flat_map(|(name, _)| names::folders_of(name));
        Ok(self.folders.get_or_init(|| folders().map(xxh3_64).collect()))
    }

    pub(in crate::store) fn name(&self, document: usize) -> Result<&[u8], OpenError> {
        Ok(self.overlay.name(self.access.corpus().documents()?, document))
    }

    pub(in crate::store) fn size(&self, document: usize) -> Result<u64, OpenError> {
        Ok(self.overlay.size(self.access.corpus().documents()?, document))
    }

    /// Refuses a number that no document has.
    pub(in crate::store) fn check_document(&self, document: usize) -> Result<(), NoDocument> {
        if self.overlay.has(document) {
            return Ok(());
        }
        Err(NoDocument::number(document))
    }

    pub(in crate::store) fn extract(
        &self,
        document: usize,
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, AccessError> {
        self.check_document(document)?;
        let Some(text) = self.overlay.text(document)? else {
            return self.access.extract(document, offset, len);
        };
        text.extract(&self.access, self.name(document)?, offset, len)
    }

    pub(in crate::store) fn lines(
        &self,
        document: usize,
        from: u64,
        to: u64,
    ) -> Result<Vec<u8>, AccessError> {
        self.check_document(document)?;
        let Some(text) = self.overlay.text(document)? else {
            return self.access.lines(document, from, to);
        };
        text.lines(&self.access, self.name(document)?, from, to)
    }

    pub(in crate::store) fn count(
        &self,
        document: usize,
        phrase: &Phrase,
    ) -> Result<u64, AccessError> {
        self.check_document(document)?;
        match self.overlay.text(document)? {
            Some(text) => text.count(&self.access, phrase),
            None => self.access.count(document, phrase),
        }
    }

    pub(in crate::store) fn count_all(&self, phrase: &Phrase) -> Result<u64, AccessError> {
        let (Some(words), Some(word)) = (self.words(), phrase.single()) else {
            return self.overlay.count_all(&self.access, phrase);
        };
        self.overlay.check_applied()?;
        let change = words.of_word(self.access.token(word)?, word);
        Ok(self.access.count_all(phrase)?.saturating_add_signed(change))
    }
}
