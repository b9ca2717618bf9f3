//! Counting phrases: one in about a microsecond, or long lists.

use crate::corpus::{Corpus, Open, ask, phrases};
use crate::errors::exception;
use crate::work::{Meter, in_this_process, long};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};
use std::sync::Arc;
use zgram::access::Phrase;
use zgram::error::AccessError;
use zgram::progress::Progress;

/// Phrases of a list that are counted before more are taken from it. Lists may be endless, and the user may
/// press Ctrl-C meanwhile.
const TOGETHER: usize = 1 << 14;

/// How often phrases occur, in all documents or in some.
fn count(open: &Open, phrases: &[Phrase], documents: Option<&[usize]>) -> Result<u64, AccessError> {
    let mut total = 0u64;
    for phrase in phrases {
        match documents {
            None => total += open.store.count_all(phrase)?,
            Some(documents) => {
                for &document in documents {
                    total += open.store.count(document, phrase)?;
                }
            }
        }
    }
    Ok(total)
}

/// How often a phrase occurs, as an `int`; of an iterable of phrases each, as an array.
#[pyfunction]
#[pyo3(signature = (corpus, phrase, documents=None, view=None))]
pub(crate) fn count_phrases<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    phrase: &Bound<'py, PyAny>,
    documents: Option<Vec<usize>>,
    view: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let open = corpus.get().open()?;
    let documents = open.numbers(documents)?;
    if phrase.is_instance_of::<PyString>() || phrase.is_instance_of::<PyBytes>() {
        let phrases = phrases(py, &open, phrase, view)?;
        let counted = ask(py, &open, move |open| count(open, &phrases, documents.as_deref()))?;
        return Ok(counted.map_err(exception)?.into_pyobject(py)?.into_any());
    }
    let documents: Option<Arc<[usize]>> = documents.map(Arc::from);
    let mut list = phrase.try_iter()?;
    let mut counts: Vec<i64> = Vec::with_capacity(phrase.len().unwrap_or(0));
    loop {
        let mut some = Vec::new();
        for one in list.by_ref().take(TOGETHER) {
            some.push(phrases(py, &open, &one?, view)?);
        }
        if some.is_empty() {
            return Ok(counts.into_pyarray(py).into_any());
        }
        let (open, documents) = (Arc::clone(&open), documents.clone());
        let counted = long(py, None, move |meter| {
            in_this_process(|| count_each(&open, &some, documents.as_deref(), meter))
        })?;
        counts.extend(counted.map_err(exception)?);
    }
}

/// The counts of several phrases, each with its spellings.
fn count_each(
    open: &Open,
    phrases: &[Vec<Phrase>],
    documents: Option<&[usize]>,
    meter: &Meter,
) -> Result<Vec<i64>, AccessError> {
    let mut counts = Vec::with_capacity(phrases.len());
    for spellings in phrases {
        // Nobody wants the rest.
        if meter.is_cancelled() {
            break;
        }
        counts.push(count(open, spellings, documents)? as i64);
    }
    Ok(counts)
}
