//! A snapshot of an open store as a corpus.
//!
//! Edited documents become replaced ranges of symbols in the grammars of the file (see `patch.rs`). Text
//! that is kept stays compressed, and only new bytes are cut into tokens. So the work depends on the
//! edits, not on the documents or segments they are in.

use crate::corpus::Corpus;
use crate::error::OpenError;
use crate::format::DocumentTable;
use crate::store::overlay::word_change::Sum;
use crate::store::view::builder::Builder;
use crate::store::view::deferred::{self, EditSource, Outline};
use crate::store::view::patch::Patch;
use crate::store::{State, Store};
use std::sync::Arc;

impl Store {
    /// The corpus as it is now, with all edits, for analytics. Later edits do not change it. Without edits
    /// it is the corpus in the file. A store that is open for editing knows which words its edits change;
    /// then edits are applied only when a question needs more than word counts.
    ///
    /// # Errors
    /// When a section is damaged, or there are more than 4 GiB of distinct tokens.
    pub fn snapshot(&self) -> Result<Arc<Corpus>, OpenError> {
        let state = self.read();
        if state.overlay.edits == 0 {
            return Ok(Arc::clone(state.access.corpus()));
        }
        let mut last = state.snapshot.lock().expect("no holder panics");
        if let Some((edits, corpus)) = &*last
            && *edits == state.overlay.edits
        {
            return Ok(Arc::clone(corpus));
        }
        let deferred = match state.words() {
            Some(words) => state.deferred(words)?,
            None => None,
        };
        let corpus = match deferred {
            Some(corpus) => corpus,
            None => Builder::new(&state).build()?.into_corpus(),
        };
        let corpus = Arc::new(corpus);
        *last = Some((state.overlay.edits, Arc::clone(&corpus)));
        Ok(corpus)
    }
}

impl State {
    /// The corpus as it is now, if its edits change the word counts by `words`.
    fn deferred(&self, words: &Sum) -> Result<Option<Corpus>, OpenError> {
        let base = self.access.corpus().facts().documents as usize;
        let (mut edited, mut added) = (Vec::new(), Vec::new());
        for document in self.overlay.edited() {
            let text = self.overlay.text(document)?.expect("it is edited");
            if document < base {
                let (spans, new) = text.extent();
                edited.push((document, spans as u64, new as u64));
            } else {
                added.push(text.size());
            }
        }
        let table = self.access.corpus().documents()?;
        let mut outline =
            Outline { removed: self.overlay.removed(), edited, added, ..Outline::default() };
        for document in self.overlay.documents() {
            outline.documents += 1;
            let size = self.overlay.size(table, document);
            outline.text_bytes = outline.text_bytes.saturating_add(size);
        }
        deferred::corpus(&self.access, words, outline, self.frozen())
    }
}

impl EditSource for State {
    fn make(&self) -> Result<Patch, OpenError> {
        Builder::new(self).build()
    }

    fn documents(&self) -> Result<DocumentTable, OpenError> {
        let base = self.access.corpus().documents()?;
        let mut table = DocumentTable::default();
        for document in self.overlay.documents() {
            table.push(self.overlay.name(base, document), self.overlay.size(base, document));
        }
        Ok(table)
    }
}
