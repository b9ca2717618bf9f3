//! A corpus as a living store: compressed text, edits over it, a journal that keeps them.
//!
//! ```text
//! FILE           the compressed corpus, never changed in place
//! FILE.journal   edits since, each on disk before it is acknowledged
//! FILE.words     by how much these edits change the count of each word
//! FILE.lock      held by the one process that may edit
//!
//! read   ─► overlay: edited documents, names ─► access: the compressed text
//! edit   ─► check ─► journal, flushed ─► overlay ─► words
//! compact ─► new FILE beside the old, with the edited documents in new rules ─► swap;
//!            edits made meanwhile ─► new journal
//! ```
//!
//! Any number of processes may read while one edits: a reader sees the edits that were in the
//! journal when it opened the file. Within a process, reads go on while edits and compaction do.
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
//! // Whoever opens it from now on sees the edit.
//! let reader = Store::open(&file)?;
//! assert_eq!(reader.extract(document, 0, 13)?, b"one very fine");
//! assert_eq!(reader.count(document, &Phrase::new("very fine")?)?, 1);
//! # Ok(())
//! # }
//! ```

mod background;
pub(crate) mod batch;
mod check;
mod compact;
mod context;
mod deferred;
mod edit;
mod frames;
mod journal;
mod load;
mod lock;
mod open;
mod overlay;
mod patch;
pub(crate) mod replaced;
mod snapshot;
mod spellings;
pub(crate) mod text;
mod threshold;
mod words;
mod writer;

pub use background::BackgroundCompaction;
pub use batch::{Answer, Batch, BatchError, Meaning, Operation};
pub use compact::Compaction;
pub use edit::Edit;
pub use threshold::Threshold;

use crate::access::{Access, Match, Phrase};
use crate::corpus::Corpus;
use crate::error::Error;
use background::Bell;
use load::{load, notices_of};
use lock::WriterLock;
use overlay::{BaseNames, Overlay};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, RwLock, RwLockReadGuard, RwLockWriteGuard};
use words::{Sum, WordChange};
use writer::Writer;

/// An open corpus with its edits.
pub struct Store {
    path: PathBuf,
    state: RwLock<State>,
    writer: Option<Mutex<Writer>>,
    notices: Vec<String>,
    bell: Bell,
    /// Held by the one who compacts.
    compacting: Mutex<()>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("path", &self.path).finish_non_exhaustive()
    }
}

/// What readers see.
struct State {
    access: Arc<Access>,
    overlay: Overlay,
    names: OnceLock<BaseNames>,
    /// By how much so many edits have changed the word counts; `None` if that is not known.
    words: Option<(u64, Sum)>,
    /// The last snapshot asked for, and how many edits it has.
    snapshot: Mutex<Option<(u64, Arc<Corpus>)>>,
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
pub struct Pending {
    /// Number of edits.
    pub edits: u64,
    /// Bytes of text they brought.
    pub bytes: u64,
}

/// Which documents differ from those in the file, for whoever works on the file's grammars: all
/// others are as they are there. Lists are rising.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Documents in the file whose text has changed.
    pub edited: Vec<usize>,
    /// Documents in the file that are gone.
    pub removed: Vec<usize>,
    /// Documents that are not in the file.
    pub added: Vec<usize>,
    /// Documents in the file that have another name.
    pub renamed: Vec<usize>,
}

impl State {
    fn new(corpus: Arc<Corpus>) -> Self {
        let documents = corpus.facts().documents as usize;
        Self {
            access: Arc::new(Access::new(corpus)),
            overlay: Overlay::new(documents),
            names: OnceLock::new(),
            words: None,
            snapshot: Mutex::default(),
        }
    }

    /// By how much all edits have changed the word counts, if that is known.
    fn words(&self) -> Option<&Sum> {
        let (edits, words) = self.words.as_ref()?;
        (*edits == self.overlay.edits).then_some(words)
    }

    /// The same, which later edits do not change.
    fn frozen(&self) -> Self {
        Self {
            access: Arc::clone(&self.access),
            overlay: self.overlay.clone(),
            names: OnceLock::new(),
            words: None,
            snapshot: Mutex::default(),
        }
    }

    fn find(&self, name: &[u8]) -> Result<Option<usize>, Error> {
        let table = self.access.corpus().documents()?;
        let names = self.names.get_or_init(|| BaseNames::new(table));
        Ok(self.overlay.find(names, table, name))
    }

    fn name(&self, document: usize) -> Result<&[u8], Error> {
        Ok(self.overlay.name(self.access.corpus().documents()?, document))
    }

    fn size(&self, document: usize) -> Result<u64, Error> {
        Ok(self.overlay.size(self.access.corpus().documents()?, document))
    }

    /// Refuses a number that no document has.
    fn check_document(&self, document: usize) -> Result<(), Error> {
        if self.overlay.has(document) {
            return Ok(());
        }
        Err(Error::no_document(document))
    }

    fn extract(&self, document: usize, offset: u64, len: usize) -> Result<Vec<u8>, Error> {
        self.check_document(document)?;
        let Some(text) = self.overlay.text(document) else {
            return self.access.extract(document, offset, len);
        };
        text.extract(&self.access, self.name(document)?, offset, len)
    }

    fn lines(&self, document: usize, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        self.check_document(document)?;
        let Some(text) = self.overlay.text(document) else {
            return self.access.lines(document, from, to);
        };
        text.lines(&self.access, self.name(document)?, from, to)
    }

    fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, Error> {
        self.check_document(document)?;
        self.overlay.search(&self.access, document, phrase)
    }

    fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, Error> {
        self.check_document(document)?;
        match self.overlay.text(document) {
            Some(text) => text.count(&self.access, phrase),
            None => self.access.count(document, phrase),
        }
    }
}

impl Store {
    /// Opens a corpus for reading, with the edits in its journal.
    ///
    /// # Errors
    /// When the corpus or the journal cannot be read, is damaged, or the journal belongs to another
    /// corpus.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::open_as(path, &real_path(path)?, None)
    }

    /// Opens a corpus for reading and editing. Only one process can at a time.
    ///
    /// # Errors
    /// As [`open`](Self::open); [`Error::Locked`] when another process edits it.
    pub fn open_for_editing(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let real = real_path(path)?;
        let lock = WriterLock::take(&real)?;
        Self::open_as(path, &real, Some(lock))
    }

    /// Takes a corpus that lies anywhere, for reading. It has no journal.
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

    /// `shown` is the path as the caller knows it.
    fn open_as(shown: &Path, path: &Path, lock: Option<WriterLock>) -> Result<Self, Error> {
        let words = if lock.is_some() { WordChange::default() } else { WordChange::unknown() };
        let (state, replay) = load(shown, path, words)?;
        let notices = notices_of(path, replay.as_ref());
        let writer = |lock| Writer::new(path, &state, replay.as_ref(), lock);
        let writer = lock.map(writer).transpose()?.map(Mutex::new);
        Ok(Self {
            path: path.to_owned(),
            state: RwLock::new(state),
            writer,
            notices,
            bell: Bell::default(),
            compacting: Mutex::default(),
        })
    }

    /// What the user should know about how it was opened.
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
    pub fn pending(&self) -> Pending {
        let state = self.read();
        Pending { edits: state.overlay.edits, bytes: state.overlay.bytes }
    }

    /// All documents as they are now, in order.
    ///
    /// # Errors
    /// When the document table cannot be read or is damaged.
    pub fn documents(&self) -> Result<Vec<DocumentEntry>, Error> {
        let state = self.read();
        let table = state.access.corpus().documents()?;
        let entry = |number| DocumentEntry {
            number,
            name: state.overlay.name(table, number).to_vec(),
            size: state.overlay.size(table, number),
        };
        Ok(state.overlay.documents().map(entry).collect())
    }

    /// The number of the document that has a name.
    ///
    /// # Errors
    /// When the document table cannot be read or is damaged.
    pub fn find(&self, name: &[u8]) -> Result<Option<usize>, Error> {
        self.read().find(name)
    }

    /// A document's name.
    ///
    /// # Errors
    /// When there is no such document, or the document table is damaged.
    pub fn name(&self, document: usize) -> Result<Vec<u8>, Error> {
        let state = self.read();
        state.check_document(document)?;
        Ok(state.name(document)?.to_vec())
    }

    /// A document's size in bytes.
    ///
    /// # Errors
    /// When there is no such document, or the document table is damaged.
    pub fn size(&self, document: usize) -> Result<u64, Error> {
        let state = self.read();
        state.check_document(document)?;
        state.size(document)
    }

    /// Up to `len` bytes of a document from `offset` on; fewer where the document ends.
    ///
    /// # Errors
    /// [`Error::OutOfRange`] when `offset` is past the end; or when a section is damaged.
    pub fn extract(&self, document: usize, offset: u64, len: usize) -> Result<Vec<u8>, Error> {
        self.read().extract(document, offset, len)
    }

    /// The bytes of the lines `from` to `to` of a document, counted from 1, with their line ends.
    /// What is past the last line is left out.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn lines(&self, document: usize, from: u64, to: u64) -> Result<Vec<u8>, Error> {
        self.read().lines(document, from, to)
    }

    /// Where a phrase stands in a document, in order.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn search(&self, document: usize, phrase: &Phrase) -> Result<Vec<Match>, Error> {
        self.read().search(document, phrase)
    }

    /// Where a phrase stands in all documents that have it, in order.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn search_all(&self, phrase: &Phrase) -> Result<Vec<(usize, Vec<Match>)>, Error> {
        let state = self.read();
        state.overlay.search_all(&state.access, phrase)
    }

    /// How often a phrase stands in a document.
    ///
    /// # Errors
    /// When there is no such document, or a section is damaged.
    pub fn count(&self, document: usize, phrase: &Phrase) -> Result<u64, Error> {
        self.read().count(document, phrase)
    }

    /// How often a phrase stands in all documents together.
    ///
    /// # Errors
    /// When a section is damaged.
    pub fn count_all(&self, phrase: &Phrase) -> Result<u64, Error> {
        let state = self.read();
        state.overlay.count_all(&state.access, phrase)
    }

    /// Writes the text of a document as it is now.
    ///
    /// # Errors
    /// When there is no such document, a section is damaged, or `out` fails.
    pub fn write_document(&self, document: usize, out: &mut dyn Write) -> Result<(), Error> {
        let state = self.read();
        state.check_document(document)?;
        let size = state.size(document)?;
        let mut offset = 0;
        while offset < size {
            let text = state.extract(document, offset, WRITE_BLOCK)?;
            out.write_all(&text).map_err(Error::io("write text of", &self.path))?;
            offset += text.len() as u64;
        }
        Ok(())
    }

    /// Which documents differ from those in the file.
    #[must_use]
    pub fn changes(&self) -> Changes {
        let state = self.read();
        let base = state.access.corpus().facts().documents as usize;
        let (edited, added) =
            state.overlay.edited().into_iter().partition(|&document| document < base);
        Changes {
            edited,
            added,
            removed: state.overlay.removed(),
            renamed: (0..base).filter(|&document| state.overlay.is_renamed(document)).collect(),
        }
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.state.read().expect("no holder panics")
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.state.write().expect("no holder panics")
    }
}

/// The path without links: the journal and the lock lie beside the file itself, whoever asks.
fn real_path(path: &Path) -> Result<PathBuf, Error> {
    std::fs::canonicalize(path).map_err(Error::io("open", path))
}

/// Text is written in blocks of this length.
const WRITE_BLOCK: usize = 1 << 16;
