//! Documents as lists of words, in the order of the text.

use crate::corpus::Corpus;
use crate::errors::exception;
use crate::options::{text_of, view};
use crate::work::{in_this_process, long};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::PyList;
use zgram::analytics::Task;
use zgram::error::QueryError;

/// Gathers the numbers of words.
struct InOrder;

impl Task for InOrder {
    type Value = Vec<u32>;
    type Message = Vec<u32>;

    fn value(&self) -> Vec<u32> {
        Vec::new()
    }

    fn local(&self, words: &mut Vec<u32>, word: u32, _: u64) {
        words.push(word);
    }

    fn integrate(&self, words: &mut Vec<u32>, message: &Vec<u32>, _: u64) {
        words.extend_from_slice(message);
    }

    fn propagate(&self, words: &mut Vec<u32>) -> Vec<u32> {
        std::mem::take(words)
    }

    fn is_ordered(&self) -> bool {
        true
    }

    fn stretch(&self, words: &mut Vec<u32>, stretch: &[u32]) {
        words.extend_from_slice(stretch);
    }
}

/// The words of documents: a list of all distinct words, and for each document an array of indexes in it.
#[pyfunction]
#[pyo3(signature = (corpus, documents=None, view_of_words=None, threads=0))]
pub(crate) fn words_in_order<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    documents: Option<Vec<usize>>,
    view_of_words: Option<&Bound<'py, PyAny>>,
    threads: usize,
) -> PyResult<(Bound<'py, PyList>, Bound<'py, PyList>)> {
    let open = corpus.get().open()?;
    let view = view(view_of_words)?;
    let gathered = long(py, None, move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let mut query = snapshot.traverse().view(view).threads(threads).progress(meter);
            if let Some(documents) = documents {
                query = query.documents(documents);
            }
            let run = query.prepare()?;
            let words = run.words();
            let texts: Vec<Vec<u8>> =
                (0..words.len() as u32).map(|word| words.text(word).to_vec()).collect();
            let numbers = run.each_document(&InOrder)?;
            Ok::<_, QueryError>((texts, numbers))
        })
    })?;
    let (texts, numbers) = gathered.map_err(exception)?;
    let (words, rows) = (PyList::empty(py), PyList::empty(py));
    for text in texts {
        words.append(text_of(py, &text)?)?;
    }
    for (_, numbers) in numbers {
        rows.append(numbers.into_pyarray(py))?;
    }
    Ok((words, rows))
}
