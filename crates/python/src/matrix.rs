//! Term matrices as arrays: counts, and weights of TF-IDF.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::options::{choice, pattern, text_of};
use crate::scope::{Asked, Scope};
use crate::work::{Meter, in_this_process, long};
use numpy::{Element, IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use zgram::analytics::{
    DocumentLimit, Matrix, MatrixRun, Norm, Query, SklearnTfIdf, TermMatrix, Terms, TfIdf, Units,
};
use zgram::error::QueryError;

/// Which terms a matrix has, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct AskedTerms {
    min_docs: Option<Limit>,
    max_docs: Option<Limit>,
    min_count: u64,
    max_features: Option<usize>,
    vocabulary: Option<Vec<String>>,
    binary: bool,
    by: Option<String>,
    ngrams: (usize, usize),
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

/// A matrix that is asked for.
pub(crate) struct Counting {
    scope: Scope,
    terms: AskedTerms,
    units: Option<Units>,
}

impl Counting {
    pub(crate) fn new(asked: Asked<'_>, terms: AskedTerms) -> PyResult<Self> {
        let units = match terms.by.as_deref() {
            None => None,
            Some("folder") => Some(Units::Folder),
            Some(text) => Some(Units::Pattern(pattern(text)?)),
        };
        Ok(Self { scope: asked.scope()?, terms, units })
    }

    pub(crate) fn query<'c>(
        self,
        corpus: &'c zgram::Corpus,
        meter: &'c Meter,
    ) -> Query<'c, TermMatrix> {
        let Self { scope, terms, units } = self;
        let mut query = scope.of(corpus.term_matrix(), meter).min_count(terms.min_count);
        query = query.ngrams(terms.ngrams.0..=terms.ngrams.1);
        if let Some(limit) = terms.min_docs {
            query = query.min_docs(limit.into());
        }
        if let Some(limit) = terms.max_docs {
            query = query.max_docs(limit.into());
        }
        if let Some(features) = terms.max_features {
            query = query.max_features(features);
        }
        if let Some(vocabulary) = terms.vocabulary {
            query = query.vocabulary(Terms::from_iter(vocabulary));
        }
        if let Some(units) = units {
            query = query.by(units);
        }
        if terms.binary { query.binary() } else { query }
    }
}

/// A matrix with the names of its rows and columns.
struct Named<T> {
    matrix: Matrix<T>,
    terms: Terms,
    rows: Terms,
}

impl<T> Named<T> {
    fn new(matrix: Matrix<T>, run: &MatrixRun<'_>) -> Self {
        Self { matrix, terms: run.terms().clone(), rows: row_names(run) }
    }
}

pub(crate) fn row_names(run: &MatrixRun<'_>) -> Terms {
    (0..run.row_count()).map(|row| run.row_name(row)).collect()
}

/// Natural logarithms as TF-IDF takes them, the same on every machine.
#[pyfunction]
pub(crate) fn logarithms<'py>(
    py: Python<'py>,
    numbers: PyReadonlyArray1<'py, f64>,
) -> Bound<'py, PyArray1<f64>> {
    let logarithms: Vec<f64> =
        numbers.as_array().iter().map(|&number| zgram::plumbing::ln(number)).collect();
    logarithms.into_pyarray(py)
}

/// Counts terms per document: arrays `indptr`, `indices`, `data`, and lists `terms`, `documents`. With
/// `first_places`, also the array `places`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, terms, first_places=false, progress=None))]
pub(crate) fn term_matrix<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    terms: AskedTerms,
    first_places: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let counting = Counting::new(asked, terms)?;
    let counted = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let run = counting.query(&snapshot, meter).prepare()?;
            let counts = Named::new(run.collect()?, &run);
            let places = if first_places { run.places()? } else { None };
            Ok::<_, QueryError>((counts, places))
        })
    })?;
    let (Named { matrix, terms, rows }, places) = counted.map_err(exception)?;
    if matrix.values.iter().any(|&value| value > i64::MAX as u64) {
        return Err(named("Error", "a count is too large for 64 bits with a sign".to_owned()));
    }
    let Matrix { row_starts, columns, values, width } = matrix;
    let values = values.into_iter().map(|value| value as i64).collect();
    let matrix = Matrix::<i64> { row_starts, columns, values, width };
    let dict = arrays(py, Named { matrix, terms, rows })?;
    if let Some(places) = places {
        dict.set_item("places", places.into_pyarray(py))?;
    }
    Ok(dict)
}

/// How counts become weights, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Weights {
    scheme: String,
    norm: Option<String>,
    smooth_idf: bool,
    sublinear_tf: bool,
    use_idf: bool,
    fit_transform: bool,
}

impl Weights {
    fn scheme(&self) -> PyResult<TfIdf> {
        let norms = [("l1", Norm::L1), ("l2", Norm::L2)];
        let norm = self.norm.as_deref().map(|norm| choice("norm", norm, &norms)).transpose()?;
        let of_sklearn = TfIdf::Sklearn(SklearnTfIdf {
            use_idf: self.use_idf,
            smooth_idf: self.smooth_idf,
            sublinear_tf: self.sublinear_tf,
            norm,
            fit_transform: self.fit_transform,
        });
        let schemes = [("paper", TfIdf::Paper), ("sklearn", of_sklearn), ("gensim", TfIdf::Gensim)];
        choice("scheme", &self.scheme, &schemes)
    }
}

/// Weighs terms per document: the arrays and lists of [`term_matrix`], and the array `idf`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, terms, weights, progress=None))]
pub(crate) fn tfidf<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    terms: AskedTerms,
    weights: Weights,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let counting = Counting::new(asked, terms)?;
    let scheme = weights.scheme()?;
    let weighed = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let run = counting.query(&snapshot, meter).prepare()?;
            let weighted = run.tf_idf(scheme)?;
            let weights = Named::new(weighted.collect()?, &run);
            Ok::<_, QueryError>((weights, weighted.idf().to_vec()))
        })
    })?;
    let (weights, idf) = weighed.map_err(exception)?;
    let dict = arrays(py, weights)?;
    dict.set_item("idf", idf.into_pyarray(py))?;
    Ok(dict)
}

/// A matrix with the names of its rows and columns.
fn arrays<T: Element>(py: Python<'_>, named: Named<T>) -> PyResult<Bound<'_, PyDict>> {
    let dict = csr(py, named.matrix)?;
    dict.set_item("terms", texts(py, &named.terms)?)?;
    dict.set_item("documents", texts(py, &named.rows)?)?;
    Ok(dict)
}

/// The arrays of a matrix. Cells are moved, not copied: a vector collected from one of the same layout
/// keeps its memory.
pub(crate) fn csr<T: Element>(py: Python<'_>, matrix: Matrix<T>) -> PyResult<Bound<'_, PyDict>> {
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
    dict.set_item("data", values.into_pyarray(py))?;
    Ok(dict)
}

/// Texts as a list of `str`.
pub(crate) fn texts<'py>(py: Python<'py>, terms: &Terms) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for term in terms.iter() {
        list.append(text_of(py, term)?)?;
    }
    Ok(list)
}
