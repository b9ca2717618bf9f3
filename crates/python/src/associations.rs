//! Words and their company: co-occurrence, collocates, keyness.

use crate::corpus::Corpus;
use crate::errors::exception;
use crate::matrix::{csr, texts};
use crate::options::choice;
use crate::scope::Asked;
use crate::work::{in_this_process, long};
use numpy::IntoPyArray;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use zgram::analytics::{
    Boundary, Collocate, CollocateMeasure, KeyWord, KeynessMeasure, Terms, Weighting,
};
use zgram::error::QueryError;

/// Which pairs of words are counted, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Pairs {
    window: usize,
    side: String,
    boundary: String,
    min_count: u64,
}

/// On which side of a word its neighbours are counted.
#[derive(Clone, Copy)]
enum Side {
    Both,
    Left,
    Right,
}

impl Pairs {
    fn side(&self) -> PyResult<Side> {
        let sides = [("both", Side::Both), ("left", Side::Left), ("right", Side::Right)];
        choice("side", &self.side, &sides)
    }

    fn boundary(&self) -> PyResult<Boundary> {
        let boundaries = [("document", Boundary::Document), ("line", Boundary::Line)];
        choice("boundary", &self.boundary, &boundaries)
    }
}

/// Which cells a matrix of co-occurrences has, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Cells {
    weighting: String,
    max_vocab: Option<usize>,
    upper_triangle: bool,
}

/// Counts how often words occur near each other: arrays `indptr`, `indices`, `data`, `counts`, and the list
/// `terms`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, pairs, cells, progress=None))]
pub(crate) fn cooccurrence<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    pairs: Pairs,
    cells: Cells,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let scope = asked.scope()?;
    let (side, boundary) = (pairs.side()?, pairs.boundary()?);
    let weightings = [("inverse", Weighting::Inverse), ("flat", Weighting::Flat)];
    let weighting = choice("weighting", &cells.weighting, &weightings)?;
    let counted = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let mut query = scope.of(snapshot.cooccurrence(), meter).window(pairs.window);
            query = query.min_count(pairs.min_count).weighting(weighting).boundary(boundary);
            query = match side {
                Side::Both => query.symmetric(),
                Side::Left => query.left(),
                Side::Right => query.right(),
            };
            if let Some(words) = cells.max_vocab {
                query = query.max_vocab(words);
            }
            if cells.upper_triangle {
                query = query.upper_triangle();
            }
            let run = query.prepare()?;
            Ok::<_, QueryError>((run.collect()?, run.terms().clone(), run.counts().to_vec()))
        })
    })?;
    let (matrix, terms, counts) = counted.map_err(exception)?;
    let dict = csr(py, matrix)?;
    dict.set_item("terms", texts(py, &terms)?)?;
    dict.set_item("counts", signed(counts).into_pyarray(py))?;
    Ok(dict)
}

/// The words near a word: the list `word`, and the arrays `score`, `cooccurrences`, `count`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, word, pairs, measure, top=None, progress=None))]
#[expect(clippy::too_many_arguments, reason = "Python calls it with the names of the arguments")]
pub(crate) fn collocates<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    word: String,
    pairs: Pairs,
    measure: &str,
    top: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let scope = asked.scope()?;
    let (side, boundary) = (pairs.side()?, pairs.boundary()?);
    let measures = [
        ("logdice", CollocateMeasure::LogDice),
        ("pmi", CollocateMeasure::Pmi),
        ("t", CollocateMeasure::TScore),
        ("ll", CollocateMeasure::LogLikelihood),
    ];
    let measure = choice("measure", measure, &measures)?;
    let found = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let mut query = scope.of(snapshot.collocates(word), meter).window(pairs.window);
            query = query.min_count(pairs.min_count).measure(measure).boundary(boundary);
            query = match side {
                Side::Both => query,
                Side::Left => query.left(),
                Side::Right => query.right(),
            };
            if let Some(rows) = top {
                query = query.top(rows);
            }
            query.collect()
        })
    })?;
    let found = found.map_err(exception)?;
    let dict = PyDict::new(py);
    dict.set_item("word", words(py, found.iter().map(|row| &row.word[..]))?)?;
    let scores: Vec<f64> = found.iter().map(|row| row.score).collect();
    dict.set_item("score", scores.into_pyarray(py))?;
    let counts = |of: fn(&Collocate) -> u64| signed(found.iter().map(of).collect());
    dict.set_item("cooccurrences", counts(|row| row.cooccurrences).into_pyarray(py))?;
    dict.set_item("count", counts(|row| row.count).into_pyarray(py))?;
    Ok(dict)
}

/// What words are compared with, and how, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Comparison<'py> {
    /// Another corpus; `None` for the same.
    other: Option<Bound<'py, Corpus>>,
    other_documents: Option<Vec<usize>>,
    measure: String,
    min_count: u64,
    top: Option<usize>,
    reverse: bool,
}

/// The words that are more frequent in some documents than in others: the list `word`, and the arrays
/// `score`, `count`, `reference_count`, `per_million`, `reference_per_million`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, comparison, progress=None))]
pub(crate) fn keyness<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    comparison: Comparison<'py>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let scope = asked.scope()?;
    let Comparison { other, other_documents, measure, min_count, top, reverse } = comparison;
    let other = other.map(|other| other.get().open()).transpose()?;
    let measures = [("ll", KeynessMeasure::LogLikelihood), ("logratio", KeynessMeasure::LogRatio)];
    let measure = choice("measure", &measure, &measures)?;
    let found = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let reference = other.map(|other| other.store.snapshot()).transpose()?;
            let mut query = scope.of(snapshot.keyness(), meter).measure(measure);
            query = query.min_count(min_count).reverse(reverse);
            if let Some(reference) = &reference {
                query = query.against(reference);
            }
            if let Some(documents) = other_documents {
                query = query.reference_documents(documents);
            }
            if let Some(rows) = top {
                query = query.top(rows);
            }
            query.key_words()
        })
    })?;
    let found = found.map_err(exception)?;
    let dict = PyDict::new(py);
    dict.set_item("word", words(py, found.iter().map(|row| &row.word[..]))?)?;
    let numbers = |of: fn(&KeyWord) -> f64| -> Vec<f64> { found.iter().map(of).collect() };
    let counts = |of: fn(&KeyWord) -> u64| signed(found.iter().map(of).collect());
    dict.set_item("score", numbers(|row| row.score).into_pyarray(py))?;
    dict.set_item("count", counts(|row| row.count).into_pyarray(py))?;
    dict.set_item("reference_count", counts(|row| row.reference_count).into_pyarray(py))?;
    dict.set_item("per_million", numbers(|row| row.per_million).into_pyarray(py))?;
    let reference = numbers(|row| row.reference_per_million);
    dict.set_item("reference_per_million", reference.into_pyarray(py))?;
    Ok(dict)
}

fn words<'py, 'w>(
    py: Python<'py>,
    words: impl Iterator<Item = &'w [u8]>,
) -> PyResult<Bound<'py, PyList>> {
    texts(py, &words.collect::<Terms>())
}

/// Counts as numpy's usual integers. A corpus has fewer than 2⁶³ words.
pub(crate) fn signed(counts: Vec<u64>) -> Vec<i64> {
    counts.into_iter().map(|count| count as i64).collect()
}
