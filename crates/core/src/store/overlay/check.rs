//! Checks whether edits can be applied, before any of them is.
//!
//! Edits of one batch depend on each other. The check tracks only the sizes and names that they change,
//! so a batch is refused as a whole before a byte of it is written.

use crate::error::{AccessError, EditError, NoDocument, OpenError};
use crate::format::DocumentTable;
use crate::names;
use crate::store::State;
use crate::store::edit::Edit;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

pub(in crate::store) struct Check<'a> {
    state: &'a State,
    /// Sizes of changed documents; `None` for removed ones.
    sizes: FxHashMap<usize, Option<u64>>,
    /// Names that documents have gained or lost.
    by_name: FxHashMap<Vec<u8>, Option<usize>>,
    names: FxHashMap<usize, Vec<u8>>,
    /// Hashes of the folders of new names.
    folders: FxHashSet<u64>,
    next: usize,
    /// Whether names that no file can have are refused.
    checks_names: bool,
}

impl<'a> Check<'a> {
    pub(in crate::store) fn new(state: &'a State) -> Self {
        Self {
            state,
            sizes: FxHashMap::default(),
            by_name: FxHashMap::default(),
            names: FxHashMap::default(),
            folders: FxHashSet::default(),
            next: state.overlay.next(),
            checks_names: true,
        }
    }

    /// A check of edits that were accepted before. Their names were checked then.
    pub(in crate::store) fn of_journal(state: &'a State) -> Self {
        Self { checks_names: false, ..Self::new(state) }
    }

    /// The document that has a name at this point.
    pub(in crate::store) fn find(&self, name: &[u8]) -> Result<usize, AccessError> {
        Ok(self.find_any(name)?.ok_or_else(|| NoDocument::named(name))?)
    }

    /// The document that has a name at this point, if any.
    fn find_any(&self, name: &[u8]) -> Result<Option<usize>, OpenError> {
        Ok(match self.by_name.get(name) {
            Some(found) => *found,
            None => self.state.find(name)?.filter(|document| !self.names.contains_key(document)),
        })
    }

    /// The size of a document at this point.
    pub(in crate::store) fn size(&self, document: usize) -> Result<u64, AccessError> {
        let size = match self.sizes.get(&document) {
            Some(size) => *size,
            None if self.state.overlay.has(document) => Some(self.state.size(document)?),
            None => None,
        };
        Ok(size.ok_or_else(|| NoDocument::number(document))?)
    }

    fn name(&self, document: usize) -> Result<Vec<u8>, OpenError> {
        match self.names.get(&document) {
            Some(name) => Ok(name.clone()),
            None => Ok(self.state.name(document)?.to_vec()),
        }
    }

    /// The error for an offset past the end of a document.
    pub(in crate::store) fn past_the_end(
        &self,
        document: usize,
        offset: u64,
        size: u64,
    ) -> AccessError {
        let name = self.name(document).unwrap_or_default();
        AccessError::OutOfRange {
            document: String::from_utf8_lossy(&name).into_owned(),
            offset,
            size,
        }
    }

    fn check_range(&self, document: usize, offset: u64, len: u64) -> Result<u64, AccessError> {
        let size = self.size(document)?;
        match offset.checked_add(len) {
            Some(end) if end <= size => Ok(size),
            end => {
                let offset = if offset > size { offset } else { end.unwrap_or(u64::MAX) };
                Err(self.past_the_end(document, offset, size))
            }
        }
    }

    /// Refuses a name that another document has, or with which the corpus could not be decompressed.
    /// `renamed` is the document whose name it replaces.
    fn check_name(&self, name: &[u8], renamed: Option<usize>) -> Result<(), EditError> {
        if self.find_any(name)?.is_some() {
            return Err(EditError::NameTaken { name: String::from_utf8_lossy(name).into_owned() });
        }
        if !self.checks_names {
            return if name.is_empty() { Ok(names::check(name)?) } else { Ok(()) };
        }
        names::check(name)?;
        for folder in names::folders_of(name) {
            if self.find_any(folder)?.is_some_and(|document| Some(document) != renamed) {
                return Err(names::file_and_folder(folder, name).into());
            }
        }
        if self.may_be_folder(name)? {
            let documents = self.documents()?;
            let is_below = |other: &[u8]| names::folders_of(other).any(|folder| folder == name);
            let old = renamed.map(|document| self.name(document)).transpose()?;
            let mut below = documents.iter().map(|(other, _)| other);
            if let Some(other) =
                below.find(|&other| old.as_deref() != Some(other) && is_below(other))
            {
                return Err(names::file_and_folder(name, other).into());
            }
        }
        Ok(())
    }

    /// Whether documents may have names below this one. `false` is certain.
    fn may_be_folder(&self, name: &[u8]) -> Result<bool, OpenError> {
        let hash = xxh3_64(name);
        Ok(self.folders.contains(&hash)
            || self.state.overlay.may_be_folder(hash)
            || self.state.folders()?.contains(&hash))
    }

    /// Loads what edits of these documents' texts will need, so that they can be applied once they are in
    /// the journal.
    ///
    /// # Errors
    /// When a segment of a document is damaged.
    pub(in crate::store) fn load_all(
        &self,
        documents: impl Iterator<Item = usize>,
    ) -> Result<(), OpenError> {
        let documents: FxHashSet<usize> = documents.collect();
        documents.into_par_iter().try_for_each(|document| self.load(document))
    }

    /// Loads what edits of a document's text will need.
    pub(in crate::store) fn load(&self, document: usize) -> Result<(), OpenError> {
        self.state.overlay.text(document)?;
        if document < self.state.access.corpus().facts().documents as usize {
            self.state.access.load(document)?;
        }
        Ok(())
    }

    /// Checks an edit and takes its effect into account.
    pub(in crate::store) fn accept(&mut self, edit: Edit<&[u8]>) -> Result<(), EditError> {
        match edit {
            Edit::Insert { document, offset, bytes } => {
                let size = self.check_range(document, offset, 0)?;
                self.resize(document, size, bytes.len() as u64)?;
            }
            Edit::Append { document, bytes } => {
                let size = self.size(document)?;
                self.resize(document, size, bytes.len() as u64)?;
            }
            Edit::Delete { document, offset, len } => {
                let size = self.check_range(document, offset, len)?;
                self.resize(document, size - len, 0)?;
            }
            Edit::Replace { document, offset, len, bytes } => {
                let size = self.check_range(document, offset, len)?;
                self.resize(document, size - len, bytes.len() as u64)?;
            }
            Edit::Add { name, bytes } => {
                self.refuse_lines("added")?;
                self.check_name(name, None)?;
                self.folders.extend(names::folders_of(name).map(xxh3_64));
                self.sizes.insert(self.next, Some(bytes.len() as u64));
                self.names.insert(self.next, name.to_vec());
                self.by_name.insert(name.to_vec(), Some(self.next));
                self.next += 1;
            }
            Edit::Remove { document } => {
                self.refuse_lines("removed")?;
                self.size(document)?;
                let name = self.name(document)?;
                self.by_name.insert(name.clone(), None);
                self.names.insert(document, name);
                self.sizes.insert(document, None);
            }
            Edit::Rename { document, name } => {
                self.refuse_lines("renamed")?;
                self.size(document)?;
                self.check_name(name, Some(document))?;
                self.folders.extend(names::folders_of(name).map(xxh3_64));
                self.by_name.insert(self.name(document)?, None);
                self.by_name.insert(name.to_vec(), Some(document));
                self.names.insert(document, name.to_vec());
            }
            Edit::SetThreshold { .. } => {}
        }
        Ok(())
    }

    /// The sizes of changed documents; `None` for removed ones.
    pub(in crate::store) fn into_sizes(self) -> FxHashMap<usize, Option<u64>> {
        self.sizes
    }

    /// All documents at this point, in order.
    pub(in crate::store) fn documents(&self) -> Result<DocumentTable, OpenError> {
        let base = self.state.access.corpus().documents()?;
        let mut table = DocumentTable::default();
        for document in 0..self.next {
            let size = match self.sizes.get(&document) {
                None => self.state.overlay.size(base, document),
                Some(Some(size)) => *size,
                Some(None) => continue,
            };
            match self.names.get(&document) {
                Some(name) => table.push(name, size),
                None => table.push(self.state.overlay.name(base, document), size),
            }
        }
        Ok(table)
    }

    /// Sets a document's size: `kept` old bytes and `new` new ones.
    fn resize(&mut self, document: usize, kept: u64, new: u64) -> Result<(), AccessError> {
        // A forged file may claim any size.
        let Some(size) = kept.checked_add(new) else {
            return Err(self.past_the_end(document, u64::MAX, kept));
        };
        self.sizes.insert(document, Some(size));
        Ok(())
    }

    /// Refuses to add, remove or rename lines of JSON Lines files: they keep their place in the file.
    fn refuse_lines(&self, what: &'static str) -> Result<(), EditError> {
        if self.state.access.corpus().facts().has_envelopes {
            return Err(EditError::LinesStay { what });
        }
        Ok(())
    }
}
