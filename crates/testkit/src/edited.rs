//! A corpus file that is edited at random, and the model of what it should contain.

use crate::Document;
use crate::model::{Model, some_edit};
use crate::random::Random;
use std::path::PathBuf;
use tempfile::TempDir;
use zgram::Corpus;
use zgram::store::Store;

/// A corpus in a temporary folder, open for editing, with the model of its documents.
#[derive(Debug)]
pub struct Edited {
    folder: TempDir,
    store: Option<Store>,
    /// What the corpus should contain.
    pub model: Model,
    names: u32,
}

impl Edited {
    /// Writes a corpus file of these documents and opens it for editing.
    ///
    /// # Panics
    /// When it cannot be written or opened.
    #[must_use]
    pub fn new(file: Vec<u8>, documents: &[Document]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut edited = Self { folder, store: None, model: Model::of(documents), names: 0 };
        std::fs::write(edited.path(), file).expect("a file");
        edited.store = Some(Store::open_for_editing(edited.path()).expect("a store"));
        edited
    }

    /// The corpus file.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.path().join("corpus.zgram")
    }

    /// The store, until [`Edited::reopened`].
    ///
    /// # Panics
    /// When the corpus has been reopened.
    #[must_use]
    pub fn store(&self) -> &Store {
        self.store.as_ref().expect("not reopened yet")
    }

    /// Makes random edits, one by one, in the corpus and in the model.
    ///
    /// # Panics
    /// When a valid edit is refused.
    pub fn edit(&mut self, random: &mut Random, edits: usize) {
        for _ in 0..edits {
            let edit = some_edit(random, &self.model, &mut self.names);
            self.store().edit(std::slice::from_ref(&edit)).expect("a valid edit");
            self.model.apply(&edit);
        }
    }

    /// Closes the store and opens the file with its edits, as any reader does.
    ///
    /// # Panics
    /// When it cannot be opened.
    #[must_use]
    pub fn reopened(&mut self) -> Corpus {
        self.store = None;
        Corpus::open(self.path()).expect("the file and its edits")
    }
}
