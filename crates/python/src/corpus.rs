//! An open corpus: documents, their text, phrases.

use crate::errors::{exception, named};
use crate::options::{bytes_of, path_of, text_of};
use crate::phrases::{Reading, Spellers, are_rare};
use crate::shards::{Shard, open_shards};
use crate::storage::PyFile;
use crate::vocabulary::Counted;
use crate::work::{Meter, in_this_process, long, short};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList, PyTuple};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};
use zgram::access::Phrase;
use zgram::error::{AccessError, OpenError};
use zgram::plumbing::TokenClass;
use zgram::progress::Progress;
use zgram::store::{DocumentEntry, Store};

/// Work that takes longer runs where Ctrl-C can end the wait for it.
const SHORT: Duration = Duration::from_millis(5);

/// Reading that much, or reporting so many matches, takes some milliseconds at most.
const MOST_BYTES: usize = 1 << 20;
const MOST_MATCHES: u64 = 1000;

/// What the Python class `Corpus` is built on.
#[pyclass(subclass, frozen, module = "zgram._zgram", name = "NativeCorpus")]
pub(crate) struct Corpus {
    path: Option<PathBuf>,
    /// `None` once the corpus is closed.
    state: RwLock<Option<Arc<Open>>>,
}

/// The corpus as it was when it was opened, or after the last edit made here.
pub(crate) struct Open {
    pub(crate) store: Store,
    documents: OnceLock<Documents>,
    pub(crate) vocabulary: OnceLock<Arc<Counted>>,
    pub(crate) spellers: Spellers,
    /// Of each [`Kind`] of questions, whether the last one was quick: its indexes are there.
    is_quick: [AtomicBool; 3],
}

/// Questions that need the same indexes.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// What a part of a document is.
    Text,
    /// How often words occur in the corpus.
    Words,
    /// Where phrases occur, or how often in which documents.
    Places,
}

/// The documents, in order. A position is an index in this list.
pub(crate) struct Documents {
    pub(crate) entries: Vec<DocumentEntry>,
    by_name: OnceLock<ByName>,
}

#[derive(Default)]
struct ByName {
    /// The first document of each name.
    first: HashMap<Vec<u8>, usize>,
    /// The others of that name, which only a corpus in several files has.
    others: HashMap<Vec<u8>, Vec<usize>>,
}

impl Open {
    fn new(store: Store) -> Arc<Self> {
        Arc::new(Self {
            store,
            documents: OnceLock::new(),
            vocabulary: OnceLock::new(),
            spellers: Spellers::default(),
            is_quick: Default::default(),
        })
    }

    pub(crate) fn is_quick(&self, kind: Kind) -> bool {
        self.is_quick[kind as usize].load(Relaxed)
    }

    pub(crate) fn documents(&self) -> PyResult<&Documents> {
        if let Some(documents) = self.documents.get() {
            return Ok(documents);
        }
        let entries = self.store.documents().map_err(exception)?;
        Ok(self.documents.get_or_init(|| Documents { entries, by_name: OnceLock::new() }))
    }

    /// The number in the store of the document at a position.
    fn number(&self, position: usize) -> PyResult<usize> {
        match self.documents()?.entries.get(position) {
            Some(entry) => Ok(entry.number),
            None => {
                Err(named("OutOfRange", format!("there is no document at position {position}")))
            }
        }
    }

    pub(crate) fn numbers(&self, positions: Option<Vec<usize>>) -> PyResult<Option<Vec<usize>>> {
        let number = |position| self.number(position);
        positions.map(|positions| positions.into_iter().map(number).collect()).transpose()
    }
}

impl Documents {
    /// The positions of the documents with a name, in order.
    fn find(&self, name: &[u8]) -> Vec<usize> {
        let by_name = self.by_name.get_or_init(|| {
            let mut all = ByName::default();
            for (entry, at) in self.entries.iter().zip(0..) {
                match all.first.entry(entry.name.clone()) {
                    Entry::Vacant(place) => {
                        place.insert(at);
                    }
                    Entry::Occupied(first) => {
                        all.others.entry(first.key().clone()).or_default().push(at);
                    }
                }
            }
            all
        });
        let others = by_name.others.get(name).into_iter().flatten();
        by_name.first.get(name).into_iter().chain(others).copied().collect()
    }
}

impl Corpus {
    pub(crate) fn open(&self) -> PyResult<Arc<Open>> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.clone().ok_or_else(|| named("InvalidRequest", "the corpus is closed".to_owned()))
    }

    pub(crate) fn path(&self) -> PyResult<&PathBuf> {
        let in_memory = || {
            named(
                "InvalidRequest",
                "a corpus without a file of its own cannot be edited".to_owned(),
            )
        };
        self.path.as_ref().ok_or_else(in_memory)
    }

    /// Opens the file again, to see edits. A corpus that was closed meanwhile stays closed.
    pub(crate) fn reopen(&self, py: Python<'_>) -> PyResult<()> {
        let path = self.path()?.clone();
        let store = long(py, None, move |_| Store::open(path))?.map_err(exception)?;
        if let Some(open) = &mut *self.state.write().unwrap_or_else(PoisonError::into_inner) {
            *open = Open::new(store);
        }
        Ok(())
    }
}

/// Number of distinct words.
fn words_of(corpus: &zgram::Corpus) -> Result<u64, OpenError> {
    let dictionary = corpus.dictionary()?;
    Ok((dictionary.len() - dictionary.ids(TokenClass::Separator).len()) as u64)
}

fn warn_of(py: Python<'_>, notices: &[String]) -> PyResult<()> {
    let warnings = py.import("warnings")?;
    notices.iter().try_for_each(|notice| warnings.call_method1("warn", (notice,)).map(drop))
}

/// Runs a question that is quick once its indexes are there, if `is_small`, which is asked then, says so.
/// A question that may have many answers looks at the meter after each: nobody wants the rest after an
/// interrupt.
pub(crate) fn ask<T: Send + 'static>(
    py: Python<'_>,
    open: &Arc<Open>,
    kind: Kind,
    is_small: impl FnOnce(&Open) -> bool,
    question: impl FnOnce(&Open, &Meter) -> T + Send + 'static,
) -> PyResult<T> {
    let timed = move |open: &Open, meter: &Meter| {
        let started = Instant::now();
        let answer = question(open, meter);
        open.is_quick[kind as usize].store(started.elapsed() < SHORT, Relaxed);
        answer
    };
    if open.is_quick(kind) && is_small(open) {
        return Ok(short(py, || timed(open, &Meter::default())));
    }
    let open = Arc::clone(open);
    long(py, None, move |meter| in_this_process(|| timed(&open, meter)))
}

/// Matches as columns: positions of documents, offsets, lengths.
type Places = (Vec<usize>, Vec<u64>, Vec<u64>);

/// The same as arrays.
type PlaceArrays<'py> =
    (Bound<'py, PyArray1<usize>>, Bound<'py, PyArray1<u64>>, Bound<'py, PyArray1<u64>>);

/// A match with the words around it: position, offset, before, match, after.
type Line<'py> = (usize, u64, Bound<'py, PyAny>, Bound<'py, PyAny>, Bound<'py, PyAny>);

#[pymethods]
impl Corpus {
    #[new]
    fn new(py: Python<'_>, source: &Bound<'_, PyAny>) -> PyResult<Self> {
        let from_storage = |opened: Result<zgram::Corpus, zgram::error::OpenError>| {
            let store = Store::from_corpus(opened.map_err(exception)?);
            Ok(Self { path: None, state: RwLock::new(Some(Open::new(store))) })
        };
        if let Ok(bytes) = source.extract::<PyBackedBytes>() {
            return from_storage(zgram::Corpus::from_bytes(bytes));
        }
        if source.hasattr("read")? && source.hasattr("seek")? {
            let name = match source.getattr("name").and_then(|name| name.extract::<String>()) {
                Ok(name) => name,
                Err(_) => "file object".to_owned(),
            };
            let file = PyFile::new(source)?;
            let opened = long(py, None, move |_| zgram::Corpus::from_storage(name, file))?;
            return from_storage(opened);
        }
        if source.is_instance_of::<PyList>() || source.is_instance_of::<PyTuple>() {
            let shards =
                source.try_iter()?.map(|item| Shard::of(&item?)).collect::<PyResult<_>>()?;
            let opened = long(py, None, move |_| open_shards(shards))?;
            let corpus = opened.map_err(exception)?;
            warn_of(py, corpus.notices())?;
            return from_storage(Ok(corpus));
        }
        let path = PathBuf::from(path_of(source)?);
        let of_work = path.clone();
        let store = long(py, None, move |_| Store::open(of_work))?.map_err(exception)?;
        warn_of(py, store.notices())?;
        Ok(Self { path: Some(path), state: RwLock::new(Some(Open::new(store))) })
    }

    /// Lets go of the file. Questions then raise `ValueError`.
    fn close(&self) {
        *self.state.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// The path it was opened from, if any.
    #[getter]
    fn path_or_none(&self) -> Option<PathBuf> {
        self.path.clone()
    }

    #[getter]
    fn is_closed(&self) -> bool {
        self.state.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn facts_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let open = self.open()?;
        let corpus = open.store.snapshot().map_err(exception)?;
        let (facts, sizes) = (corpus.facts(), corpus.facts().sizes);
        let distinct_words = match corpus.shards() {
            [] => facts.vocabulary_words,
            // Which words they have in common is known only from their dictionaries.
            _ => {
                let corpus = Arc::clone(&corpus);
                let words = long(py, None, move |_| in_this_process(|| words_of(&corpus)))?;
                words.map_err(exception)?
            }
        };
        let dict = PyDict::new(py);
        let numbers = [
            ("documents", facts.documents),
            ("text_bytes", sizes.text_bytes),
            ("compressed_bytes", corpus.compressed_bytes()),
            ("words", sizes.text_words),
            ("tokens", sizes.text_tokens),
            ("distinct_words", distinct_words),
            ("rules", sizes.rules),
            ("symbols", sizes.symbols),
            ("segments", facts.segments.len() as u64),
            ("pending_edits", open.store.pending().edits),
        ];
        for (name, number) in numbers {
            dict.set_item(name, number)?;
        }
        dict.set_item("level", facts.level.name())?;
        Ok(dict)
    }

    /// The positions at which the documents of segments begin. A segment that only continues a document
    /// has none; a corpus with pending edits counts as one segment.
    fn segment_starts(&self) -> PyResult<Vec<usize>> {
        let open = self.open()?;
        let mut starts = vec![0];
        if open.store.pending().edits > 0 {
            return Ok(starts);
        }
        let count = open.documents()?.entries.len();
        for segment in &open.store.snapshot().map_err(exception)?.facts().segments {
            let first = segment.first_document + u64::from(segment.first_piece > 0);
            let first = usize::try_from(first).unwrap_or(usize::MAX);
            if starts.last().is_some_and(|&last| last < first) && first < count {
                starts.push(first);
            }
        }
        Ok(starts)
    }

    fn document_count(&self) -> PyResult<usize> {
        Ok(self.open()?.documents()?.entries.len())
    }

    fn document_name<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyAny>> {
        let open = self.open()?;
        open.number(position)?;
        text_of(py, &open.documents()?.entries[position].name)
    }

    fn document_size(&self, position: usize) -> PyResult<u64> {
        let open = self.open()?;
        open.number(position)?;
        Ok(open.documents()?.entries[position].size)
    }

    fn document_names<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let open = self.open()?;
        let names = PyList::empty(py);
        for entry in &open.documents()?.entries {
            names.append(text_of(py, &entry.name)?)?;
        }
        Ok(names)
    }

    fn document_sizes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        let open = self.open()?;
        let sizes: Vec<u64> = open.documents()?.entries.iter().map(|entry| entry.size).collect();
        Ok(sizes.into_pyarray(py))
    }

    /// The position of the first document with this name, or `None`.
    fn find_document(&self, name: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        Ok(self.open()?.documents()?.find(&bytes_of(name)?).first().copied())
    }

    /// The positions of all documents with this name: several only in a corpus in several files.
    fn find_namesakes(&self, name: &Bound<'_, PyAny>) -> PyResult<Vec<usize>> {
        Ok(self.open()?.documents()?.find(&bytes_of(name)?))
    }

    /// The positions of documents whose names match a glob pattern.
    fn glob_documents<'py>(
        &self,
        py: Python<'py>,
        pattern: &str,
    ) -> PyResult<Bound<'py, PyArray1<usize>>> {
        let glob = zgram::plumbing::NameGlob::new(pattern);
        let glob = glob.map_err(|error| exception(AccessError::from(error)))?;
        let open = self.open()?;
        let entries = open.documents()?.entries.iter().enumerate();
        let found = entries.filter(|(_, entry)| glob.matches(&entry.name)).map(|(at, _)| at);
        Ok(found.collect::<Vec<usize>>().into_pyarray(py))
    }

    fn read_document<'py>(
        &self,
        py: Python<'py>,
        position: usize,
        offset: u64,
        len: usize,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let open = self.open()?;
        let number = open.number(position)?;
        let is_small = |_: &Open| len <= MOST_BYTES;
        let question = move |open: &Open, _: &Meter| open.store.extract(number, offset, len);
        let bytes = ask(py, &open, Kind::Text, is_small, question)?;
        Ok(PyBytes::new(py, &bytes.map_err(exception)?))
    }

    fn read_lines<'py>(
        &self,
        py: Python<'py>,
        position: usize,
        from: u64,
        to: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let open = self.open()?;
        let number = open.number(position)?;
        let size = open.documents()?.entries[position].size;
        let is_small = |_: &Open| size <= MOST_BYTES as u64;
        let question = move |open: &Open, _: &Meter| open.store.lines(number, from, to);
        let bytes = ask(py, &open, Kind::Text, is_small, question)?;
        Ok(PyBytes::new(py, &bytes.map_err(exception)?))
    }

    /// Where a phrase occurs: positions of documents, offsets and lengths in bytes.
    #[pyo3(signature = (phrase, documents=None, view=None, limit=None))]
    fn find_phrase<'py>(
        &self,
        py: Python<'py>,
        phrase: &Bound<'py, PyAny>,
        documents: Option<Vec<usize>>,
        view: Option<&Bound<'py, PyAny>>,
        limit: Option<usize>,
    ) -> PyResult<PlaceArrays<'py>> {
        let open = self.open()?;
        let numbers = open.numbers(documents)?;
        let position_of = positions(open.documents()?);
        let phrases: Arc<[Phrase]> = Reading::new(py, &open, view)?.phrases(phrase)?.into();
        let asked = Arc::clone(&phrases);
        let is_small = move |open: &Open| are_rare(open, &asked, MOST_MATCHES);
        let found = ask(py, &open, Kind::Places, is_small, move |open, meter| {
            let (mut documents, mut offsets, mut lengths): Places = Default::default();
            let flow = open.store.search_each(&phrases, numbers.as_deref(), |found| {
                if meter.is_cancelled() || limit.is_some_and(|limit| documents.len() >= limit) {
                    return ControlFlow::Break(());
                }
                documents.push(position_of(found.document));
                offsets.push(found.place.offset);
                lengths.push(found.place.len as u64);
                ControlFlow::Continue(())
            });
            flow.map(|_| (documents, offsets, lengths))
        })?;
        let (documents, offsets, lengths) = found.map_err(exception)?;
        Ok((documents.into_pyarray(py), offsets.into_pyarray(py), lengths.into_pyarray(py)))
    }

    /// Matches with the words around them: (position, offset, before, match, after).
    #[pyo3(signature = (phrase, width, documents=None, view=None, limit=None))]
    fn find_in_context<'py>(
        &self,
        py: Python<'py>,
        phrase: &Bound<'py, PyAny>,
        width: usize,
        documents: Option<Vec<usize>>,
        view: Option<&Bound<'py, PyAny>>,
        limit: Option<usize>,
    ) -> PyResult<Vec<Line<'py>>> {
        let open = self.open()?;
        let numbers = open.numbers(documents)?;
        let position_of = positions(open.documents()?);
        let phrases: Arc<[Phrase]> = Reading::new(py, &open, view)?.phrases(phrase)?.into();
        let asked = Arc::clone(&phrases);
        let is_small = move |open: &Open| are_rare(open, &asked, MOST_MATCHES);
        let found = ask(py, &open, Kind::Places, is_small, move |open, meter| {
            let (mut lines, mut failed) = (Vec::new(), None);
            let _ = open.store.search_each(&phrases, numbers.as_deref(), |found| {
                if meter.is_cancelled() || limit.is_some_and(|limit| lines.len() >= limit) {
                    return ControlFlow::Break(());
                }
                match found.context(width) {
                    Ok(around) => {
                        lines.push((position_of(found.document), found.place.offset, around));
                        ControlFlow::Continue(())
                    }
                    Err(error) => {
                        failed = Some(error);
                        ControlFlow::Break(())
                    }
                }
            })?;
            failed.map_or(Ok(lines), Err)
        })?;
        let lines = found.map_err(exception)?.into_iter().map(|(document, offset, around)| {
            let [before, matched, after] = around.map(|text| text_of(py, &text));
            Ok((document, offset, before?, matched?, after?))
        });
        lines.collect()
    }

    /// Checks every section of the file.
    #[pyo3(signature = (progress=None))]
    fn verify_file(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<()> {
        let open = self.open()?;
        let checked = long(py, progress.as_ref(), move |meter| {
            in_this_process(|| open.store.corpus().verify(meter))
        })?;
        checked.map_err(exception)
    }
}

/// Positions of documents by their numbers in the store.
fn positions(documents: &Documents) -> impl Fn(usize) -> usize + Send + use<> {
    let most = documents.entries.iter().map(|entry| entry.number).max().unwrap_or_default();
    let in_order = documents.entries.iter().zip(0..).all(|(entry, at)| entry.number == at);
    let mut table = Vec::new();
    if !in_order {
        table = vec![0; most + 1];
        for (entry, at) in documents.entries.iter().zip(0..) {
            table[entry.number] = at;
        }
    }
    move |number| if in_order { number } else { table[number] }
}
