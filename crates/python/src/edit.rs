//! Edits: all of a block at once, durable when it ends.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::options::bytes_of;
use crate::work::{in_this_process, long};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};
use zgram::store::{Operation, Store, Transaction};

/// Edits that are made when the block ends. It keeps other processes from editing meanwhile.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeTransaction")]
pub(crate) struct Edits {
    corpus: Py<Corpus>,
    /// The store with the lock; `None` once the block has ended.
    store: Mutex<Option<Store>>,
    operations: Mutex<Vec<Operation>>,
}

impl Edits {
    fn push(&self, operation: Operation) -> PyResult<()> {
        if self.store.lock().unwrap_or_else(PoisonError::into_inner).is_none() {
            let message = "edits are made inside `with corpus.edit() as edit:`".to_owned();
            return Err(named("InvalidRequest", message));
        }
        self.operations.lock().unwrap_or_else(PoisonError::into_inner).push(operation);
        Ok(())
    }
}

#[pymethods]
impl Edits {
    fn insert(
        &self,
        name: &Bound<'_, PyAny>,
        offset: u64,
        text: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (document, bytes) = (bytes_of(name)?, bytes_of(text)?);
        self.push(Operation::Insert { document, offset, bytes })
    }

    fn append(&self, name: &Bound<'_, PyAny>, text: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Operation::Append { document: bytes_of(name)?, bytes: bytes_of(text)? })
    }

    fn delete(&self, name: &Bound<'_, PyAny>, offset: u64, length: u64) -> PyResult<()> {
        self.push(Operation::Delete { document: bytes_of(name)?, offset, len: length })
    }

    fn replace(
        &self,
        name: &Bound<'_, PyAny>,
        offset: u64,
        length: u64,
        text: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let (document, bytes) = (bytes_of(name)?, bytes_of(text)?);
        self.push(Operation::Replace { document, offset, len: length, bytes })
    }

    fn add(&self, name: &Bound<'_, PyAny>, text: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Operation::Add { name: bytes_of(name)?, bytes: bytes_of(text)? })
    }

    fn remove(&self, name: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Operation::Remove { document: bytes_of(name)? })
    }

    fn rename(&self, name: &Bound<'_, PyAny>, new: &Bound<'_, PyAny>) -> PyResult<()> {
        self.push(Operation::Rename { document: bytes_of(name)?, name: bytes_of(new)? })
    }

    /// Ends the block: makes all edits, or none.
    fn finish(&self, py: Python<'_>, keep: bool) -> PyResult<()> {
        let store = self.store.lock().unwrap_or_else(PoisonError::into_inner).take();
        let operations =
            std::mem::take(&mut *self.operations.lock().unwrap_or_else(PoisonError::into_inner));
        let Some(store) = store.filter(|_| keep && !operations.is_empty()) else { return Ok(()) };
        let batch = Transaction { operations, ..Transaction::default() };
        let made = long(py, None, move |_| {
            in_this_process(|| {
                for result in store.run(&batch).map_err(zgram::Error::from)? {
                    result.map_err(zgram::Error::from)?;
                }
                Ok::<_, zgram::Error>(())
            })
        })?;
        made.map_err(exception)?;
        self.corpus.bind(py).get().reopen(py)
    }
}

/// Begins a block of edits.
#[pyfunction]
pub(crate) fn begin_edits(py: Python<'_>, corpus: Py<Corpus>) -> PyResult<Edits> {
    let path = corpus.bind(py).get().path()?.clone();
    corpus.bind(py).get().open()?;
    let store = long(py, None, move |_| Store::open_for_editing(path))?.map_err(exception)?;
    Ok(Edits { corpus, store: Mutex::new(Some(store)), operations: Mutex::default() })
}

/// Writes pending edits into the corpus file. Returns facts about what was done.
#[pyfunction]
#[pyo3(signature = (corpus, progress=None))]
pub(crate) fn compact<'py>(
    py: Python<'py>,
    corpus: Py<Corpus>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let this = corpus.bind(py).get();
    this.open()?;
    let path = this.path()?.clone();
    let done = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| Store::open_for_editing(path)?.compact(meter))
    })?;
    let done = done.map_err(exception)?;
    this.reopen(py)?;
    let dict = PyDict::new(py);
    dict.set_item("edits", done.edits)?;
    dict.set_item("bytes_before", done.bytes_before)?;
    dict.set_item("bytes_after", done.bytes_after)?;
    Ok(dict)
}
