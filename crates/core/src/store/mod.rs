//! A corpus that can be edited: compressed text, edits over it, and a journal that keeps the edits.
//!
//! ```text
//! FILE           the compressed corpus, never changed in place
//! FILE.journal   edits since then, each flushed to disk before it is acknowledged
//! FILE.words     how much these edits change the count of each word
//! FILE.lock      held by the one process that may edit
//!
//! read    ─► overlay: edited documents, names ─► access: the compressed text
//! edit    ─► check and load ─► journal, flushed ─► overlay ─► FILE.words
//! compact ─► new FILE beside the old one, with the edited documents in new rules ─► swap;
//!            edits made meanwhile ─► new journal
//! ```
//!
//! Any number of processes can read while one edits. A reader sees the edits that were in the journal
//! when it opened the file. Within a process, reads continue during edits and compaction.
//!
//! An edit is checked, and the text that it changes is loaded, before anything is written. So a refused
//! edit leaves no trace, and an edit in the journal can be applied. If a segment is damaged later, only
//! its documents are lost: the others can be read and edited.
//!
//! # Where the methods of [`Store`] are
//!
//! | methods | file |
//! |---|---|
//! | `open`, `open_for_editing`, `from_corpus`, `documents`, `find`, `name`, `size`, `extract`, `lines`, `count`, `count_all`, `write_document` | here, and in `state.rs` |
//! | `search_each`, `search`, `search_all` | `search.rs` |
//! | `context` | `context.rs` |
//! | `spellings`, `speller` | `spellings.rs` |
//! | `edit` | `writer.rs` |
//! | `run`, `run_with` | `batch/` |
//! | `count_each`, `next_words`, `count_like`, `trace` | `phrases.rs` |
//! | `index_phrases` | `indexing.rs` |
//! | `compact`, `write_compacted`, `threshold`, `is_due` | `compaction/` |
//! | `snapshot` | `view/` |
//!
//! The other folders: `journal/` has the files beside the corpus, `overlay/` the edits in memory.
//!
//! # Example
//!
//! ```
//! # use zgram::input::Sources;
//! # use zgram::progress::Silent;
//! # use zgram::{CompressOptions, compress};
//! use zgram::access::Phrase;
//! use zgram::store::{Edit, Store};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let scratch = tempfile::tempdir()?;
//! # let texts = scratch.path().join("texts");
//! # std::fs::create_dir(&texts)?;
//! # std::fs::write(texts.join("a.txt"), "one fine day, one fine night")?;
//! # let file = scratch.path().join("texts.zgram");
//! # compress(&Sources::new([texts]), &file, &CompressOptions::default(), &Silent)?;
//! let store = Store::open_for_editing(&file)?;
//! let document = store.find(b"a.txt")?.expect("it is there");
//! let edit = Edit::Insert { document, offset: 4, bytes: b"very ".to_vec() };
//! store.edit(&[edit])?;
//!
//! // Every process that opens the file from now on sees the edit.
//! let reader = Store::open(&file)?;
//! assert_eq!(reader.extract(document, 0, 13)?, b"one very fine");
//! assert_eq!(reader.count(document, &Phrase::new("very fine")?)?, 1);
//! # Ok(())
//! # }
//! ```

pub(crate) mod batch;
mod compaction;
mod context;
mod edit;
mod indexing;
mod journal;
mod load;
mod lock;
pub(crate) mod overlay;
pub(crate) mod phrases;
pub(crate) mod replace_guard;
mod search;
mod spellings;
mod state;
mod view;
mod writer;

pub use batch::{Answer, OffsetBase, Operation, Transaction};
pub use compaction::{BackgroundCompaction, Compaction, Threshold};
pub use edit::Edit;
pub use search::Found;
pub use spellings::Speller;

use crate::access::Phrase;
use crate::corpus::Corpus;
use crate::error::{AccessError, EditError, FileError, OpenError};
use compaction::Bell;
use load::{load, notices_of};
use lock::WriterLock;
use overlay::word_change::WordChange;
use state::State;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, RwLock, RwLockReadGuard, RwLockWriteGuard};
use writer::Writer;

/// An open corpus with its edits.
pub struct Store {
    path: PathBuf,
    state: RwLock<State>,
    writer: Option<Mutex<Writer>>,
    notices: Vec<String>,
    bell: Bell,
    /// Held during a compaction.
    compacting: Mutex<()>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

/// A document of a corpus as it is now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentEntry {
    /// Its number: the same until the corpus is compacted.
    pub number: usize,
    /// Its name.
    pub name: Vec<u8>,
    /// Its size in bytes.
    pub size: u64,
}

/// How much has been edited since the corpus was compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PendingEdits {
    /// Number of edits.
    pub edits: u64,
    /// Bytes of new text.
    pub bytes: u64,
}

impl Store {
    /// Opens a corpus for reading, with the edits in its journal. A folder is a corpus in several files,
    /// as for [`Corpus::open`].
    ///
    /// # Errors
    /// When the corpus or the journal cannot be read, is damaged, or the journal belongs to another
    /// corpus.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, OpenError> {
        let path = path.as_ref();
        let real = real_path(path)?;
        if real.is_dir() {
            let corpus = Corpus::open(path)?;
            let notices = corpus.notices().to_vec();
            return Ok(Self { notices, ..Self::from_corpus(corpus) });
        }
        Self::open_as(path, &real, None)
    }

    /// Opens a corpus for reading and editing. Only one process can do so at a time.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`EditError::Locked`] when another process edits it,
    /// [`EditError::Shards`] for a folder.
    pub fn open_for_editing(path: impl AsRef<Path>) -> Result<Self, EditError> {
        let path = path.as_ref();
        let real = real_path(path)?;
        if real.is_dir() {
            return Err(EditError::Shards { path: path.to_owned() });
        }
        let lock = WriterLock::take(&real)?;
        Ok(Self::open_as(path, &real, Some(lock))?)
    }

    /// Makes a store of an open corpus, for reading. It has no journal.
    #[must_use]
    pub fn from_corpus(corpus: Corpus) -> Self {
        Self {
            path: corpus.path().to_owned(),
            state: RwLock::new(State::new(Arc::new(corpus))),
            writer: None,
            notices: Vec::new(),
            bell: Bell::default(),
            compacting: Mutex::default(),
        }
    }

    /// `shown` is the path as the caller gave it.
    fn open_as(shown: &Path, path: &Path, lock: Option<WriterLock>) -> Result<Self, OpenError> {
        let words = if lock.is_some() { WordChange::default() } else { WordChange::unknown() };
        let (state, replay) = load(shown, path, words)?;
        let notices = notices_of(path, replay.as_ref());
        let writer = lock.map(|lock| Mutex::new(Writer::new(replay, lock)));
        Ok(Self {
            path: path.to_owned(),
            state: RwLock::new(state),
            writer,
            notices,
            bell: Bell::default(),
            compacting: Mutex::default(),
        })
    }

    /// Notices for the user from opening it.
    #[must_use]
    pub fn notices(&self) -> &[String] {
        &self.notices
    }

    /// The corpus file without the edits.
    #[must_use]
    pub fn corpus(&self) -> Arc<Corpus> {
        Arc::clone(self.read().access.corpus())
    }

    /// How much has been edited since the corpus was compressed.
    #[must_use]
    pub fn pending(&self) -> PendingEdits {
        let state = self.read();
        PendingEdits { edits: state.overlay.edits, bytes: state.overlay.bytes }
    }

    /// All documents as they are now, in order.
    ///
    /// # Errors
    /// When the document table cannot be read or is damaged.
    pub fn documents(&self) -> Result<Vec<DocumentEntry>, OpenError> {
        let state = self.read();
        let table = state.access.corpus().documents()?;
        let entry = |number| DocumentEntry {
            number,
            name: state.overlay.name(table, number).to_vec(),
            size: state.overlay.size(table, number),
        };
        Ok(state.overlay.documents().map(entry).collect())
    }

    /// The number of the document with this name; of the first, if several have it.
    ///
    /// # Errors
    /// When the document table cannot be read or is damaged.
    pub fn find(&self, name: &[u8]) -> Result<Option<usize>, OpenError> {
        self.read().find(name)
    }

    /// The numbers of all documents with this name. Only a corpus in several files, or merged from such,
    /// has several documents of one name.
    ///
    /// # Errors
    /// When the document table cannot be read or is damaged.
    pub fn find_all(&self, name: &[u8]) -> Result<Vec<usize>, OpenError> {
        self.read().find_all(name)
    }

    /// A document's name.
    ///
    /// # Errors
    /// When there is no such document, or the document table is damaged.
    pub fn name(&self, document: usize) -> Result<Vec<u8>, AccessError> {
        let state = self.read();
        state.check_document(document)?;
        Ok(state.name(document)?.to_vec())
    }

    /// A document's size in bytes.
    ///
    /// # Errors
    /// When there is no such document, or the document table is damaged.
    pub fn size(&self, document: usize) -> Result<u64, AccessError> {
        let state = self.read();
        state.check_document(document)?;
        Ok(state.size(document)?)
    }

    /// Up to `len` bytes of a document from `offset` on; fewer where the document ends.
    ///
    /// # Errors
    /// [`AccessError::OutOfRange`] when `offset` is past the end; or when a section is damaged.
    pub fn extract(
        &self,
        document: usize,
        offset: u64,
        len: usize,
    ) -> Result<Vec<u8>, AccessError> {
        self.read().extract(document, offset, len)
    }

    /// The bytes of the lines `from` to `to` of a document, counted from 1, with their line ends.
    /// Lines past the end are ignored.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn lines(&self, document: usize, from: u64, to: u64) -> Result<Vec<u8>, AccessError> {
        self.read().lines(document, from, to)
    }

    /// How often a phrase occurs in a document.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, AccessError> {
        self.read().count(document, phrase)
    }

    /// How often a phrase occurs in all documents together.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count_all(&self, phrase: &Phrase) -> Result<u64, AccessError> {
        self.read().count_all(phrase)
    }

    /// Writes the text of a document as it is now.
    ///
    /// # Errors
    /// When there is no such document, a section is damaged, or `out` fails.
    pub fn write_document(&self, document: usize, out: &mut dyn Write) -> Result<(), AccessError> {
        let state = self.read();
        state.check_document(document)?;
        state.overlay.text(document)?;
        let size = state.size(document)?;
        let mut offset = 0;
        while offset < size {
            let text = state.extract(document, offset, WRITE_BLOCK)?;
            out.write_all(&text).map_err(FileError::on("write text of", &self.path))?;
            offset += text.len() as u64;
        }
        Ok(())
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().expect("no holder panics")
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().expect("no holder panics")
    }
}

/// The path without symbolic links: the journal and the lock lie beside the file itself.
fn real_path(path: &Path) -> Result<PathBuf, FileError> {
    std::fs::canonicalize(path).map_err(FileError::on("open", path))
}

/// Bytes of text written at a time.
const WRITE_BLOCK: usize = 1 << 16;
