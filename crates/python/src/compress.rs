//! Making a corpus file.

use crate::errors::{exception, named};
use crate::options::{bytes_of, choice, path_of};
use crate::work::{Meter, in_this_process, long};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::path::PathBuf;
use zgram::format::{Facts, Level};
use zgram::input::{ReadOptions, Sources};
use zgram::plumbing::ReplaceGuard;
use zgram::{CompressOptions, Error, compress_documents};

/// How to compress, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings {
    level: String,
    memory: Option<u64>,
    threads: usize,
    index: bool,
    force: bool,
}

impl Settings {
    fn options(&self) -> PyResult<CompressOptions> {
        let levels = [Level::Fast, Level::Default, Level::Max].map(|level| (level.name(), level));
        let mut options = CompressOptions::default();
        options.level = choice("level", &self.level, &levels)?;
        options.memory = self.memory.unwrap_or(options.memory);
        options.threads = self.threads;
        options.index = self.index;
        Ok(options)
    }

    fn check_output(&self, path: &std::path::Path) -> PyResult<()> {
        if path.exists() && !self.force {
            let message = format!("{} exists; force=True replaces it", path.display());
            return Err(named("AlreadyExists", message));
        }
        Ok(())
    }
}

fn summary<'py>(py: Python<'py>, facts: &Facts, bytes: u64) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("documents", facts.documents)?;
    dict.set_item("text_bytes", facts.sizes.text_bytes)?;
    dict.set_item("compressed_bytes", bytes)?;
    Ok(dict)
}

/// Compresses files and folders.
#[pyfunction]
#[pyo3(signature = (paths, output, settings, jsonl=None, progress=None))]
pub(crate) fn compress_paths<'py>(
    py: Python<'py>,
    paths: Vec<Bound<'py, PyAny>>,
    output: &Bound<'py, PyAny>,
    settings: Settings,
    jsonl: Option<String>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let paths = paths.iter().map(path_of).collect::<PyResult<Vec<_>>>()?;
    let output = PathBuf::from(path_of(output)?);
    let options = settings.options()?;
    settings.check_output(&output)?;
    let work = move |meter: &Meter| {
        let read = ReadOptions { jsonl_field: jsonl, ..ReadOptions::default() };
        let sources = Sources::new(paths).options(read);
        let guard = ReplaceGuard::prepare(&output)?;
        if guard.pending_edits() != Some(0) && !settings.force {
            let summary = zgram::compress(&sources, &output, &options, meter)?;
            return Ok::<_, Error>(summary);
        }
        Ok(guard.compress(&sources, &options, meter)?)
    };
    let made = long(py, progress.as_ref(), move |meter| in_this_process(|| work(meter)))?;
    let made = made.map_err(exception)?;
    summary(py, &made.facts, made.compressed_bytes)
}

/// Why documents from Python cannot be compressed.
enum Failure {
    Python(PyErr),
    Zgram(zgram::error::CompressError),
}

impl From<zgram::error::CompressError> for Failure {
    fn from(error: zgram::error::CompressError) -> Self {
        Self::Zgram(error)
    }
}

/// Compresses documents that an iterator yields, as pairs of name and text.
#[pyfunction]
#[pyo3(signature = (documents, output, settings, progress=None))]
pub(crate) fn compress_pairs<'py>(
    py: Python<'py>,
    documents: &Bound<'py, PyAny>,
    output: &Bound<'py, PyAny>,
    settings: Settings,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let output = PathBuf::from(path_of(output)?);
    let options = settings.options()?;
    settings.check_output(&output)?;
    let documents = documents.try_iter()?.into_any().unbind();
    // The iterator runs on the thread that compresses, which takes the interpreter lock for each document.
    let mut number = 0u64;
    let next = move || {
        number += 1;
        Python::attach(|py| next_pair(py, documents.bind(py), number))
            .map_err(Failure::Python)
            .transpose()
    };
    let made = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| compress_documents(std::iter::from_fn(next), &output, &options, meter))
    })?;
    match made {
        Ok(made) => summary(py, &made.facts, made.compressed_bytes),
        Err(Failure::Python(error)) => Err(error),
        Err(Failure::Zgram(error)) => Err(exception(error)),
    }
}

/// The next document of an iterator.
fn next_pair(
    py: Python<'_>,
    documents: &Bound<'_, PyAny>,
    number: u64,
) -> PyResult<Option<(Vec<u8>, Vec<u8>)>> {
    let end = py.None();
    let next = py.import("builtins")?.getattr("next")?.call1((documents, &end))?;
    if next.is(&end) {
        return Ok(None);
    }
    let wrong = || {
        let message = format!("document {number} is not a pair of name and text");
        named("InvalidRequest", message)
    };
    let pair = next.cast::<PyTuple>().map_err(|_| wrong())?;
    if pair.len() != 2 {
        return Err(wrong());
    }
    let part = |at: usize, what: &str| {
        let value = pair.get_item(at)?;
        bytes_of(&value).map_err(|error| {
            let kind = value.get_type();
            let message =
                format!("the {what} of document {number} cannot be stored: {error} ({kind})");
            named("InvalidRequest", message)
        })
    };
    Ok(Some((part(0, "name")?, part(1, "text")?)))
}
