//! Opens a corpus as it is now, for questions about all of it.
//!
//! A caller that only asks questions needs no store. If the file of word changes beside the journal
//! covers all edits, the edits are not even applied until a question needs more than word counts.

use crate::access::Access;
use crate::corpus::Corpus;
use crate::error::OpenError;
use crate::format::DocumentTable;
use crate::store::edit::Edit;
use crate::store::journal::words_file;
use crate::store::journal::{self, Replay};
use crate::store::load::{self, notices_of, of_journal, replay_into};
use crate::store::overlay::check::Check;
use crate::store::overlay::word_change::WordChange;
use crate::store::view::builder::Builder;
use crate::store::view::deferred::{self, EditSource, Outline};
use crate::store::view::patch::Patch;
use crate::store::view::shards::open_folder;
use crate::store::{State, real_path};
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

impl Corpus {
    /// Opens the corpus in a file as it is now: with the edits in the journal beside it, as every
    /// command of the program does. Later edits do not change it. A folder is one corpus in several
    /// files, all its `.zgram` files in the order of their names: see [`open_shards`](Self::open_shards).
    ///
    /// Edits are applied only when a question needs them: counting the words of all documents does
    /// not. [`Store::snapshot`](crate::store::Store::snapshot) gives the same answers;
    /// [`open_without_edits`](Self::open_without_edits) ignores the journal.
    ///
    /// # Errors
    /// When the file or its journal cannot be read, is damaged, or comes from a newer version; or when
    /// the journal belongs to another corpus; for a folder also when it has no such file, or when names
    /// such as `logs-1-of-2.zgram` show that one is missing.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let shown = path.as_ref();
        let path = real_path(shown)?;
        if path.is_dir() {
            return open_folder(shown);
        }
        let (corpus, replay) = load::read(shown, &path, || journal::read(&path))?;
        let notices = notices_of(&path, replay.as_ref());
        let is_setting = |edit| matches!(edit, Edit::SetThreshold { .. });
        let corpus = match replay {
            Some(replay) if !replay.edits().all(is_setting) => {
                with_edits(&path, Arc::new(corpus), replay)?
            }
            _ => corpus,
        };
        Ok(corpus.with_notices(notices))
    }
}

fn with_edits(path: &Path, file: Arc<Corpus>, replay: Replay) -> Result<Corpus, OpenError> {
    let words = words_file::read(path, file.identity(), &replay.ends);
    let edits = JournalEdits { path: path.to_owned(), file, replay };
    let Some(words) = words else { return Ok(edits.make()?.into_corpus()) };
    let access = Arc::new(Access::new(Arc::clone(&edits.file)));
    let edits = Arc::new(edits);
    match deferred::corpus(&access, &words, edits.outline()?, Arc::clone(&edits))? {
        Some(corpus) => Ok(corpus),
        None => Ok(edits.make()?.into_corpus()),
    }
}

/// The edits of a journal.
struct JournalEdits {
    path: PathBuf,
    file: Arc<Corpus>,
    replay: Replay,
}

impl EditSource for Arc<JournalEdits> {
    fn documents(&self) -> Result<DocumentTable, OpenError> {
        let state = State::new(Arc::clone(&self.file));
        let mut check = Check::of_journal(&state);
        let checked = self.replay.edits().try_for_each(|edit| check.accept(edit));
        checked.map_err(|error| of_journal(&self.path, &error))?;
        check.documents()
    }

    fn make(&self) -> Result<Patch, OpenError> {
        JournalEdits::make(self)
    }
}

/// What the edits of a journal do to one document.
#[derive(Default)]
struct Change {
    edits: u64,
    new_bytes: u64,
    gone_bytes: u64,
    is_removed: bool,
}

impl JournalEdits {
    fn make(&self) -> Result<Patch, OpenError> {
        let mut state = State::new(Arc::clone(&self.file));
        replay_into(&mut state, &self.path, &self.replay, &mut WordChange::unknown())?;
        Builder::new(&state).build()
    }

    /// The documents with the edits. The process that wrote the edits to the journal had checked that they
    /// can be applied; they are checked again when they are applied.
    fn outline(&self) -> Result<Outline, OpenError> {
        let facts = self.file.facts();
        let base = facts.documents as usize;
        let (mut changes, mut next) = (FxHashMap::<usize, Change>::default(), base);
        for edit in self.replay.edits() {
            let is_removed = matches!(edit, Edit::Remove { .. });
            let document = match edit {
                Edit::Add { .. } => {
                    let document = next;
                    next = next.saturating_add(1);
                    document
                }
                Edit::Remove { document } => document,
                _ => match edit.of_text() {
                    Some(document) => document,
                    None => continue,
                },
            };
            let change = changes.entry(document).or_default();
            change.edits += 1;
            change.new_bytes += edit.new_bytes();
            change.gone_bytes = change.gone_bytes.saturating_add(edit.gone_bytes());
            change.is_removed |= is_removed;
        }
        // A forged journal may name documents that never existed.
        changes.retain(|&document, _| document < next);
        let mut outline = Outline {
            documents: next as u64,
            text_bytes: facts.sizes.text_bytes,
            ..Outline::default()
        };
        for (document, change) in changes {
            let is_in_file = document < base;
            let mut gone = change.gone_bytes;
            if change.is_removed {
                outline.documents -= 1;
                gone = change.new_bytes;
            }
            if change.is_removed && is_in_file {
                gone = gone.saturating_add(self.file.documents()?.known_size(document));
                outline.removed.push(document);
            } else if is_in_file {
                outline.edited.push((document, change.edits, change.new_bytes));
            } else if !change.is_removed {
                outline.added.push(change.new_bytes.saturating_sub(gone));
            }
            let bytes = &mut outline.text_bytes;
            *bytes = bytes.saturating_add(change.new_bytes).saturating_sub(gone);
        }
        outline.removed.sort_unstable();
        Ok(outline)
    }
}
