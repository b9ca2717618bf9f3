//! Writing documents as files.

use crate::corpus::Corpus;
use crate::errors::exception;
use crate::options::path_of;
use crate::work::{in_this_process, long};
use pyo3::prelude::*;
use std::path::PathBuf;
use zgram::{DecompressOptions, Error};

/// Writes documents below a folder, under their names; `None` for all, which restores JSON Lines files.
/// Returns how many documents there were and how many files.
#[pyfunction]
#[pyo3(signature = (corpus, folder, documents=None, force=false, threads=0, progress=None))]
pub(crate) fn decompress(
    py: Python<'_>,
    corpus: &Bound<'_, Corpus>,
    folder: &Bound<'_, PyAny>,
    documents: Option<Vec<usize>>,
    force: bool,
    threads: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<(u64, u64)> {
    let open = corpus.get().open()?;
    let folder = PathBuf::from(path_of(folder)?);
    if documents.as_ref().is_some_and(Vec::is_empty) {
        // The library takes no numbers for all.
        return Ok((0, 0));
    }
    let mut options = DecompressOptions::default();
    options.force = force;
    options.threads = threads;
    let done = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let selection = documents.unwrap_or_default();
            Ok::<_, Error>(zgram::decompress(&snapshot, &selection, folder, &options, meter)?)
        })
    })?;
    let done = done.map_err(exception)?;
    Ok((done.documents, done.files))
}

/// Whether documents are lines of JSON, whose other fields are stored too.
#[pyfunction]
pub(crate) fn is_json_lines(corpus: &Bound<'_, Corpus>) -> PyResult<bool> {
    let snapshot = corpus.get().open()?.store.snapshot().map_err(exception)?;
    Ok(snapshot.facts().has_envelopes)
}
