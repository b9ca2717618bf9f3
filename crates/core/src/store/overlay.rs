//! All edits of a corpus in memory: which documents there are by now, and the edited texts.

use super::edit::Edit;
use super::text::EditedText;
use super::threshold::Threshold;
use super::words::WordChange;
use crate::access::{Access, Match, Phrase};
use crate::error::Error;
use crate::format::DocumentTable;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use xxhash_rust::xxh3::xxh3_64;

/// The documents of a corpus file by name.
#[derive(Debug)]
pub(super) struct BaseNames {
    numbers: HashTable<u32>,
}

impl BaseNames {
    pub(super) fn new(table: &DocumentTable) -> Self {
        let hash = |&number: &u32| xxh3_64(table.known_name(number as usize));
        let mut numbers = HashTable::with_capacity(table.len());
        for number in 0..table.len() as u32 {
            numbers.insert_unique(hash(&number), number, hash);
        }
        Self { numbers }
    }

    /// The first document of a name that `is_there` accepts.
    fn find(
        &self,
        table: &DocumentTable,
        name: &[u8],
        is_there: impl Fn(usize) -> bool,
    ) -> Option<usize> {
        self.numbers
            .iter_hash(xxh3_64(name))
            .map(|&number| number as usize)
            .filter(|&number| table.known_name(number) == name && is_there(number))
            .min()
    }
}

/// What the edits have made of a corpus.
#[derive(Clone, Debug)]
pub(super) struct Overlay {
    /// Documents in the file.
    base: usize,
    /// Number of the next document that is added.
    next: usize,
    texts: FxHashMap<usize, EditedText>,
    removed: FxHashSet<usize>,
    /// Of added and renamed documents.
    names: FxHashMap<usize, Vec<u8>>,
    by_name: FxHashMap<Vec<u8>, usize>,
    /// The threshold of the corpus, if that was changed.
    pub(super) threshold: Option<Threshold>,
    pub(super) edits: u64,
    pub(super) bytes: u64,
}

impl Overlay {
    pub(super) fn new(base: usize) -> Self {
        Self {
            base,
            next: base,
            texts: FxHashMap::default(),
            removed: FxHashSet::default(),
            names: FxHashMap::default(),
            by_name: FxHashMap::default(),
            threshold: None,
            edits: 0,
            bytes: 0,
        }
    }

    /// Number of the next document that is added.
    pub(super) fn next(&self) -> usize {
        self.next
    }

    pub(super) fn has(&self, document: usize) -> bool {
        document < self.next && !self.removed.contains(&document)
    }

    /// All documents, in order.
    pub(super) fn documents(&self) -> impl Iterator<Item = usize> {
        (0..self.next).filter(|document| !self.removed.contains(document))
    }

    /// Documents with new text, in order: edited and added ones.
    pub(super) fn edited(&self) -> Vec<usize> {
        let mut edited: Vec<usize> = self.texts.keys().copied().collect();
        edited.sort_unstable();
        edited
    }

    /// Documents of the file that are gone, in order.
    pub(super) fn removed(&self) -> Vec<usize> {
        let in_base = self.removed.iter().copied().filter(|&document| document < self.base);
        let mut removed: Vec<usize> = in_base.collect();
        removed.sort_unstable();
        removed
    }

    pub(super) fn is_renamed(&self, document: usize) -> bool {
        document < self.base && self.names.contains_key(&document)
    }

    pub(super) fn name<'a>(&'a self, table: &'a DocumentTable, document: usize) -> &'a [u8] {
        match self.names.get(&document) {
            Some(name) => name,
            None => table.known_name(document),
        }
    }

    pub(super) fn size(&self, table: &DocumentTable, document: usize) -> u64 {
        match self.texts.get(&document) {
            Some(text) => text.size(),
            None => table.known_size(document),
        }
    }

    pub(super) fn find(
        &self,
        names: &BaseNames,
        table: &DocumentTable,
        name: &[u8],
    ) -> Option<usize> {
        self.by_name.get(name).copied().or_else(|| {
            let is_there = |number: usize| {
                !self.removed.contains(&number) && !self.names.contains_key(&number)
            };
            names.find(table, name, is_there)
        })
    }

    pub(super) fn text(&self, document: usize) -> Option<&EditedText> {
        self.texts.get(&document)
    }

    /// Takes an edited text out, to be put back changed; `None` if the document is as it was.
    pub(super) fn take_text(&mut self, document: usize) -> Option<EditedText> {
        self.texts.remove(&document)
    }

    pub(super) fn put_text(&mut self, document: usize, text: EditedText) {
        self.texts.insert(document, text);
    }

    /// Applies an edit that has been checked, and tells `words` which of them come and go.
    pub(super) fn apply(
        &mut self,
        access: &Access,
        edit: Edit<&[u8]>,
        words: &mut WordChange,
    ) -> Result<(), Error> {
        self.note(edit);
        match edit {
            Edit::Insert { document, .. }
            | Edit::Append { document, .. }
            | Edit::Delete { document, .. }
            | Edit::Replace { document, .. } => {
                let text = match self.texts.entry(document) {
                    Entry::Occupied(text) => text.into_mut(),
                    Entry::Vacant(place) => {
                        place.insert(EditedText::of_base(document, access.size(document)?))
                    }
                };
                change_text(text, access, edit, words)?;
            }
            Edit::Add { name, bytes } => {
                words.gain(bytes);
                self.texts.insert(self.next, EditedText::of_bytes(bytes));
                self.names.insert(self.next, name.to_vec());
                self.by_name.insert(name.to_vec(), self.next);
                self.next += 1;
            }
            Edit::Remove { document } => {
                if self.lose_words(access, document, words).is_err() {
                    // A document goes whether or not it can be read.
                    words.give_up();
                }
                self.forget_name(document);
                self.names.remove(&document);
                self.texts.remove(&document);
                self.removed.insert(document);
            }
            Edit::Rename { document, name } => {
                self.forget_name(document);
                self.names.insert(document, name.to_vec());
                self.by_name.insert(name.to_vec(), document);
            }
            Edit::SetThreshold { threshold } => self.threshold = Some(threshold),
        }
        Ok(())
    }

    /// Tells `words` that those of a document go.
    fn lose_words(
        &self,
        access: &Access,
        document: usize,
        words: &mut WordChange,
    ) -> Result<(), Error> {
        let text = self.texts.get(&document);
        let size = text.map_or_else(|| access.size(document), |text| Ok(text.size()))?;
        if words.can_look_at(size) {
            let mut bytes = Vec::new();
            match text {
                Some(text) => text.read(access, 0, size as usize, &mut bytes)?,
                None => access.extract_to(document, 0, size as usize, &mut bytes)?,
            }
            words.lose(&bytes);
        }
        Ok(())
    }

    /// Counts an edit.
    pub(super) fn note(&mut self, edit: Edit<&[u8]>) {
        // A setting is no change of the text.
        if !matches!(edit, Edit::SetThreshold { .. }) {
            self.edits += 1;
            self.bytes += edit.new_bytes();
        }
    }

    fn forget_name(&mut self, document: usize) {
        if let Some(name) = self.names.get(&document)
            && self.by_name.get(name) == Some(&document)
        {
            self.by_name.remove(name);
        }
    }

    pub(super) fn search(
        &self,
        access: &Access,
        document: usize,
        phrase: &Phrase,
    ) -> Result<Vec<Match>, Error> {
        match self.texts.get(&document) {
            Some(text) => text.search(access, phrase),
            None => access.search(document, phrase),
        }
    }

    pub(super) fn search_all(
        &self,
        access: &Access,
        phrase: &Phrase,
    ) -> Result<Vec<(usize, Vec<Match>)>, Error> {
        let mut found = access.search_all(phrase)?;
        if self.texts.is_empty() && self.removed.is_empty() {
            return Ok(found);
        }
        found.retain(|(document, _)| {
            !self.removed.contains(document) && !self.texts.contains_key(document)
        });
        for (&document, text) in &self.texts {
            let matches = text.search(access, phrase)?;
            if !matches.is_empty() {
                found.push((document, matches));
            }
        }
        found.sort_unstable_by_key(|(document, _)| *document);
        Ok(found)
    }

    pub(super) fn count_all(&self, access: &Access, phrase: &Phrase) -> Result<u64, Error> {
        let mut count = access.count_all(phrase)?;
        for &document in self.removed.iter().filter(|&&document| document < self.base) {
            count -= access.count(document, phrase)?;
        }
        for (&document, text) in &self.texts {
            if document < self.base {
                count -= access.count(document, phrase)?;
            }
            count += text.count(access, phrase)?;
        }
        Ok(count)
    }
}

/// Applies an edit of a text, not of the list of documents.
pub(super) fn change_text(
    text: &mut EditedText,
    access: &Access,
    edit: Edit<&[u8]>,
    words: &mut WordChange,
) -> Result<(), Error> {
    match edit {
        Edit::Insert { offset, bytes, .. } => text.splice(access, offset, 0, bytes, words),
        Edit::Append { bytes, .. } => text.splice(access, text.size(), 0, bytes, words),
        Edit::Delete { offset, len, .. } => text.splice(access, offset, len, &[], words),
        Edit::Replace { offset, len, bytes, .. } => text.splice(access, offset, len, bytes, words),
        Edit::Add { .. }
        | Edit::Remove { .. }
        | Edit::Rename { .. }
        | Edit::SetThreshold { .. } => Ok(()),
    }
}
