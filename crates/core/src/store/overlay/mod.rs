//! All edits of a corpus in memory: the current list of documents, and the edited texts.

pub(in crate::store) mod check;
pub(in crate::store) mod text;
pub(in crate::store) mod word_change;

pub use text::is_safe_after;

use crate::access::{Access, Match, Phrase};
use crate::error::{AccessError, OpenError};
use crate::format::DocumentTable;
use crate::format::threshold::Threshold;
use crate::names;
use crate::store::edit::Edit;
use crate::store::overlay::text::EditedText;
use crate::store::overlay::word_change::WordChange;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::path::PathBuf;
use xxhash_rust::xxh3::xxh3_64;

/// The documents of a corpus file by name.
#[derive(Debug)]
pub(in crate::store) struct BaseNames {
    numbers: HashTable<u32>,
}

impl BaseNames {
    pub(in crate::store) fn new(table: &DocumentTable) -> Self {
        let hash = |&number: &u32| xxh3_64(table.known_name(number as usize));
        let mut numbers = HashTable::with_capacity(table.len());
        for number in 0..table.len() as u32 {
            numbers.insert_unique(hash(&number), number, hash);
        }
        Self { numbers }
    }

    /// The documents with a name for which `is_there` holds, in any order.
    fn find_all(
        &self,
        table: &DocumentTable,
        name: &[u8],
        is_there: impl Fn(usize) -> bool,
    ) -> impl Iterator<Item = usize> {
        self.numbers
            .iter_hash(xxh3_64(name))
            .map(|&number| number as usize)
            .filter(move |&number| table.known_name(number) == name && is_there(number))
    }
}

/// Why the edits of a document could not be applied: its text in the file is damaged.
#[derive(Clone, Debug)]
pub(in crate::store) struct Unapplied {
    pub(in crate::store) journal: PathBuf,
    pub(in crate::store) cause: String,
    /// The document's size after its edits.
    pub(in crate::store) size: u64,
}

impl Unapplied {
    fn to_error(&self) -> OpenError {
        OpenError::Unapplied { journal: self.journal.clone(), cause: self.cause.clone() }
    }
}

/// The edits of a corpus.
#[derive(Clone, Debug)]
pub(in crate::store) struct Overlay {
    /// Number of documents in the file.
    base: usize,
    /// Number of the next document that is added.
    next: usize,
    texts: FxHashMap<usize, EditedText>,
    /// Documents whose edits could not be applied.
    unapplied: FxHashMap<usize, Unapplied>,
    removed: FxHashSet<usize>,
    /// Names of added and renamed documents.
    names: FxHashMap<usize, Vec<u8>>,
    by_name: FxHashMap<Vec<u8>, usize>,
    /// Hashes of all folders of these names, also of earlier ones.
    folders: FxHashSet<u64>,
    /// The threshold of the corpus, if that was changed.
    pub(in crate::store) threshold: Option<Threshold>,
    pub(in crate::store) edits: u64,
    pub(in crate::store) bytes: u64,
}

impl Overlay {
    pub(in crate::store) fn new(base: usize) -> Self {
        Self {
            base,
            next: base,
            texts: FxHashMap::default(),
            unapplied: FxHashMap::default(),
            removed: FxHashSet::default(),
            names: FxHashMap::default(),
            by_name: FxHashMap::default(),
            folders: FxHashSet::default(),
            threshold: None,
            edits: 0,
            bytes: 0,
        }
    }

    /// Number of the next document that is added.
    pub(in crate::store) fn next(&self) -> usize {
        self.next
    }

    pub(in crate::store) fn has(&self, document: usize) -> bool {
        document < self.next && !self.removed.contains(&document)
    }

    /// All documents, in order.
    pub(in crate::store) fn documents(&self) -> impl Iterator<Item = usize> {
        (0..self.next).filter(|document| !self.removed.contains(document))
    }

    /// Edited and added documents, in order.
    pub(in crate::store) fn edited(&self) -> Vec<usize> {
        let mut edited: Vec<usize> = self.texts.keys().copied().collect();
        edited.sort_unstable();
        edited
    }

    /// Removed documents of the file, in order.
    pub(in crate::store) fn removed(&self) -> Vec<usize> {
        let in_base = self.removed.iter().copied().filter(|&document| document < self.base);
        let mut removed: Vec<usize> = in_base.collect();
        removed.sort_unstable();
        removed
    }

    pub(in crate::store) fn name<'a>(
        &'a self,
        table: &'a DocumentTable,
        document: usize,
    ) -> &'a [u8] {
        match self.names.get(&document) {
            Some(name) => name,
            None => table.known_name(document),
        }
    }

    pub(in crate::store) fn size(&self, table: &DocumentTable, document: usize) -> u64 {
        match (self.texts.get(&document), self.unapplied.get(&document)) {
            (Some(text), _) => text.size(),
            (None, Some(unapplied)) => unapplied.size,
            (None, None) => table.known_size(document),
        }
    }

    /// Records that the edits of a document could not be applied, and discards its text.
    pub(in crate::store) fn set_unapplied(&mut self, document: usize, unapplied: Unapplied) {
        self.texts.remove(&document);
        self.unapplied.insert(document, unapplied);
    }

    /// The edited text of a document; `None` if it is unchanged.
    ///
    /// # Errors
    /// When its edits could not be applied.
    pub(in crate::store) fn text(&self, document: usize) -> Result<Option<&EditedText>, OpenError> {
        match self.unapplied.get(&document) {
            Some(unapplied) => Err(unapplied.to_error()),
            None => Ok(self.texts.get(&document)),
        }
    }

    /// Refuses if edits of any document could not be applied: for questions about all documents.
    pub(in crate::store) fn check_applied(&self) -> Result<(), OpenError> {
        let first = self.unapplied.iter().min_by_key(|(document, _)| **document);
        first.map_or(Ok(()), |(_, unapplied)| Err(unapplied.to_error()))
    }

    pub(in crate::store) fn find(
        &self,
        names: &BaseNames,
        table: &DocumentTable,
        name: &[u8],
    ) -> Option<usize> {
        self.by_name
            .get(name)
            .copied()
            .or_else(|| names.find_all(table, name, |number| self.has_its_name(number)).min())
    }

    /// All documents with a name, in rising order. Different shards may have documents of one name.
    pub(in crate::store) fn find_all(
        &self,
        names: &BaseNames,
        table: &DocumentTable,
        name: &[u8],
    ) -> Vec<usize> {
        let in_file = names.find_all(table, name, |number| self.has_its_name(number));
        let mut found: Vec<usize> = in_file.chain(self.by_name.get(name).copied()).collect();
        found.sort_unstable();
        found
    }

    /// Whether a document of the file is still there and still has its name.
    fn has_its_name(&self, number: usize) -> bool {
        !self.removed.contains(&number) && !self.names.contains_key(&number)
    }

    /// Takes an edited text out, to be put back changed; `None` if the document is unchanged.
    pub(in crate::store) fn take_text(&mut self, document: usize) -> Option<EditedText> {
        self.texts.remove(&document)
    }

    pub(in crate::store) fn put_text(&mut self, document: usize, text: EditedText) {
        self.texts.insert(document, text);
    }

    /// Applies a checked edit, and adds the words it changes to `words`.
    pub(in crate::store) fn apply(
        &mut self,
        access: &Access,
        edit: Edit<&[u8]>,
        words: &mut WordChange,
    ) -> Result<(), AccessError> {
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
                self.set_name(self.next, name);
                self.next += 1;
            }
            Edit::Remove { document } => {
                if self.lose_words(access, document, words).is_err() {
                    // A document can be removed whether or not it can be read.
                    words.give_up();
                }
                self.forget_name(document);
                self.names.remove(&document);
                self.texts.remove(&document);
                self.unapplied.remove(&document);
                self.removed.insert(document);
            }
            Edit::Rename { document, name } => {
                self.forget_name(document);
                self.set_name(document, name);
            }
            Edit::SetThreshold { threshold } => self.threshold = Some(threshold),
        }
        Ok(())
    }

    /// Subtracts the words of a document from `words`.
    fn lose_words(
        &self,
        access: &Access,
        document: usize,
        words: &mut WordChange,
    ) -> Result<(), AccessError> {
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
    pub(in crate::store) fn note(&mut self, edit: Edit<&[u8]>) {
        // A setting changes no text.
        if !matches!(edit, Edit::SetThreshold { .. }) {
            self.edits += 1;
            self.bytes += edit.new_bytes();
        }
    }

    fn set_name(&mut self, document: usize, name: &[u8]) {
        self.names.insert(document, name.to_vec());
        self.by_name.insert(name.to_vec(), document);
        self.folders.extend(names::folders_of(name).map(xxh3_64));
    }

    /// Whether a name with this hash may be a folder of new names.
    pub(in crate::store) fn may_be_folder(&self, hash: u64) -> bool {
        self.folders.contains(&hash)
    }

    fn forget_name(&mut self, document: usize) {
        if let Some(name) = self.names.get(&document)
            && self.by_name.get(name) == Some(&document)
        {
            self.by_name.remove(name);
        }
    }

    /// Calls `found` with each match of a phrase in a document from an offset on, in order, until it
    /// breaks.
    pub(in crate::store) fn search_each(
        &self,
        access: &Access,
        document: usize,
        phrase: &Phrase,
        from: u64,
        found: impl FnMut(Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        match self.text(document)? {
            Some(text) => text.search_each(access, phrase, from, found),
            None => access.search_each(document, phrase, from, found),
        }
    }

    /// Calls `found` with each match of a phrase in all documents, from an offset of one of them on, in
    /// order, until it breaks.
    pub(in crate::store) fn search_all_each(
        &self,
        access: &Access,
        phrase: &Phrase,
        from: (usize, u64),
        mut found: impl FnMut(usize, Match) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, AccessError> {
        self.check_applied()?;
        if self.texts.is_empty() && self.removed.is_empty() {
            return access.search_all_each(phrase, from, found);
        }
        let edited = self.edited().into_iter().filter(|&document| document >= from.0);
        let mut edited = edited.peekable();
        let in_edited = |document: usize, found: &mut dyn FnMut(usize, Match) -> _| {
            let offset = if document == from.0 { from.1 } else { 0 };
            let text = self.texts.get(&document).expect("it is edited");
            text.search_each(access, phrase, offset, |one| found(document, one))
        };
        let mut next = from;
        loop {
            // The result of an edited text that ended the search.
            let mut ended = None;
            // The last document that was skipped, and the number of its matches so far.
            let mut passed = (usize::MAX, 0);
            let flow = access.search_all_each(phrase, next, |document, one| {
                while let Some(before) = edited.next_if(|&edited| edited < document) {
                    match in_edited(before, &mut found) {
                        Ok(ControlFlow::Continue(())) => {}
                        stopped => {
                            ended = Some(stopped);
                            return ControlFlow::Break(());
                        }
                    }
                }
                if !self.removed.contains(&document) && !self.texts.contains_key(&document) {
                    return found(document, one);
                }
                passed = (document, if passed.0 == document { passed.1 + 1 } else { 1 });
                if passed.1 < MOST_PASSED {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            })?;
            if let Some(ended) = ended {
                return ended;
            }
            if flow.is_continue() {
                break;
            }
            if passed.1 < MOST_PASSED {
                return Ok(flow);
            }
            next = (passed.0 + 1, 0);
        }
        for document in edited {
            let flow = in_edited(document, &mut found)?;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    pub(in crate::store) fn count_all(
        &self,
        access: &Access,
        phrase: &Phrase,
    ) -> Result<u64, AccessError> {
        self.check_applied()?;
        let mut count = access.count_all(phrase)?;
        for &document in self.removed.iter().filter(|&&document| document < self.base) {
            count = count.saturating_sub(access.count(document, phrase)?);
        }
        for (&document, text) in &self.texts {
            if let Some(change) = phrase.single().and_then(|word| text.change(word)) {
                count = count.saturating_add_signed(change);
                continue;
            }
            if document < self.base {
                count = count.saturating_sub(access.count(document, phrase)?);
            }
            count = count.saturating_add(text.count(access, phrase)?);
        }
        Ok(count)
    }
}

/// Matches of an edited or removed document that are skipped one by one. After these the search restarts
/// at the next document.
const MOST_PASSED: u64 = 1 << 16;

/// Applies an edit to a text. Edits of the list of documents are ignored.
pub(in crate::store) fn change_text(
    text: &mut EditedText,
    access: &Access,
    edit: Edit<&[u8]>,
    words: &mut WordChange,
) -> Result<(), AccessError> {
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
