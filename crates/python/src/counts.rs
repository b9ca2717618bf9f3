//! Counting phrases: one in about a microsecond, or long lists.

use crate::corpus::{Corpus, Kind, Open, ask};
use crate::errors::exception;
use crate::phrases::{Reading, are_rare};
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

/// In so many documents, or of a word that occurs so often, a phrase is counted in some milliseconds at most.
const MOST_DOCUMENTS: usize = 1000;
const MOST_TO_SEARCH: u64 = 10_000;

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
    let reading = Reading::new(py, &open, view)?;
    if phrase.is_instance_of::<PyString>() || phrase.is_instance_of::<PyBytes>() {
        let phrases: Arc<[Phrase]> = reading.phrases(phrase)?.into();
        let are_words = phrases.iter().all(|phrase| phrase.words().len() == 1);
        let kind = if are_words && documents.is_none() { Kind::Words } else { Kind::Places };
        let (asked, of) = (Arc::clone(&phrases), documents.as_ref().map_or(0, Vec::len));
        let is_small = move |open: &Open| {
            of <= MOST_DOCUMENTS && (are_words || are_rare(open, &asked, MOST_TO_SEARCH))
        };
        let question = move |open: &Open, _: &Meter| count(open, &phrases, documents.as_deref());
        let counted = ask(py, &open, kind, is_small, question)?;
        return Ok(counted.map_err(exception)?.into_pyobject(py)?.into_any());
    }
    let documents: Option<Arc<[usize]>> = documents.map(Arc::from);
    let mut list = phrase.try_iter()?;
    let mut counts: Vec<i64> = Vec::with_capacity(phrase.len().unwrap_or(0));
    loop {
        let mut some = Vec::new();
        for one in list.by_ref().take(TOGETHER) {
            some.push(reading.phrases(&one?)?);
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
