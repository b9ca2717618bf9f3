//! Term matrices as arrays.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::options::{pattern, text_of, view};
use crate::work::{in_this_process, long};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use zgram::analytics::{DocumentLimit, Matrix, Terms, Units};
use zgram::error::QueryError;

/// What a matrix counts, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Question<'py> {
    view: Option<Bound<'py, PyAny>>,
    documents: Option<Vec<usize>>,
    min_docs: Option<Limit>,
    max_docs: Option<Limit>,
    min_count: u64,
    max_features: Option<usize>,
    vocabulary: Option<Vec<String>>,
    binary: bool,
    by: Option<String>,
    ngrams: (usize, usize),
    first_places: bool,
    threads: usize,
    memory: Option<u64>,
}

/// A number of documents if it is an `int`, a share if it is a `float`, as in scikit-learn.
#[derive(FromPyObject)]
pub(crate) enum Limit {
    Count(u64),
    Share(f64),
}

impl From<Limit> for DocumentLimit {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Count(count) => Self::Count(count),
            Limit::Share(share) => Self::Share(share),
        }
    }
}

/// A counted matrix, with the names of its rows and columns.
struct Counted {
    matrix: Matrix<u64>,
    terms: Terms,
    rows: Terms,
    places: Option<Vec<u32>>,
}

/// Counts terms per document: arrays `indptr`, `indices`, `data`, and lists `terms`, `documents`.
#[pyfunction]
#[pyo3(signature = (corpus, question, progress=None))]
pub(crate) fn term_matrix<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    question: Question<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let view = view(question.view.as_ref())?;
    let units = match question.by.as_deref() {
        None => None,
        Some("folder") => Some(Units::Folder),
        Some(text) => Some(Units::Pattern(pattern(text)?)),
    };
    let (documents, vocabulary) = (question.documents, question.vocabulary);
    let (least, most) = (question.min_docs, question.max_docs);
    let counted = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let mut query = snapshot.term_matrix().view(view).threads(question.threads);
            query = query.ngrams(question.ngrams.0..=question.ngrams.1);
            query = query.min_count(question.min_count).progress(meter);
            if let Some(documents) = documents {
                query = query.documents(documents);
            }
            if let Some(limit) = least {
                query = query.min_docs(limit.into());
            }
            if let Some(limit) = most {
                query = query.max_docs(limit.into());
            }
            if let Some(features) = question.max_features {
                query = query.max_features(features);
            }
            if let Some(terms) = vocabulary {
                query = query.vocabulary(Terms::from_iter(terms));
            }
            if let Some(units) = units {
                query = query.by(units);
            }
            if let Some(memory) = question.memory {
                query = query.memory(memory);
            }
            let query = if question.binary { query.binary() } else { query };
            let run = query.prepare()?;
            Ok::<_, QueryError>(Counted {
                matrix: run.collect()?,
                terms: run.terms().clone(),
                rows: (0..run.row_count()).map(|row| run.row_name(row)).collect(),
                places: if question.first_places { run.places()? } else { None },
            })
        })
    })?;
    arrays(py, counted.map_err(exception)?)
}

/// The arrays of a matrix. Cells are moved, not copied: a vector collected from one of the same layout
/// keeps its memory.
fn arrays(py: Python<'_>, counted: Counted) -> PyResult<Bound<'_, PyDict>> {
    let Counted { matrix, terms, rows, places } = counted;
    let Matrix { row_starts, columns, values, width } = matrix;
    let dict = PyDict::new(py);
    dict.set_item("shape", (row_starts.len() - 1, width))?;
    // scipy wants both index arrays of one type, and 32 bits where that is enough.
    let most = *row_starts.last().expect("there is an end") as usize;
    if most.max(width) <= i32::MAX as usize {
        let starts: Vec<i32> = row_starts.iter().map(|&start| start as i32).collect();
        dict.set_item("indptr", starts.into_pyarray(py))?;
        let columns: Vec<i32> = columns.into_iter().map(|column| column as i32).collect();
        dict.set_item("indices", columns.into_pyarray(py))?;
    } else {
        let starts: Vec<i64> = row_starts.into_iter().map(|start| start as i64).collect();
        dict.set_item("indptr", starts.into_pyarray(py))?;
        let columns: Vec<i64> = columns.into_iter().map(i64::from).collect();
        dict.set_item("indices", columns.into_pyarray(py))?;
    }
    if values.iter().any(|&value| value > i64::MAX as u64) {
        return Err(named("Error", "a count is too large for 64 bits with a sign".to_owned()));
    }
    let values: Vec<i64> = values.into_iter().map(|value| value as i64).collect();
    dict.set_item("data", values.into_pyarray(py))?;
    dict.set_item("terms", texts(py, &terms)?)?;
    dict.set_item("documents", texts(py, &rows)?)?;
    if let Some(places) = places {
        dict.set_item("places", places.into_pyarray(py))?;
    }
    Ok(dict)
}

/// Texts as a list of `str`.
fn texts<'py>(py: Python<'py>, terms: &Terms) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for term in terms.iter() {
        list.append(text_of(py, term)?)?;
    }
    Ok(list)
}
