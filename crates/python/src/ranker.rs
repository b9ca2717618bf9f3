//! Documents ranked for queries: BM25.

use crate::corpus::Corpus;
use crate::errors::exception;
use crate::options::{choice, text_of};
use crate::scope::Asked;
use crate::work::{Meter, in_this_process, long, long_with, short};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::sync::Arc;
use yoke::{Yoke, Yokeable};
use zgram::analytics::{Bm25Variant, Ranked, WordScore};
use zgram::error::QueryError;
use zgram::progress::Progress;

/// How documents are scored, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Scoring {
    variant: String,
    k1: f64,
    b: f64,
    delta: f64,
}

impl Scoring {
    fn variant(&self) -> PyResult<Bm25Variant> {
        let variants = [
            ("lucene", Bm25Variant::Lucene),
            ("robertson", Bm25Variant::Robertson),
            ("atire", Bm25Variant::Atire),
            ("bm25+", Bm25Variant::Plus),
            ("bm25l", Bm25Variant::L),
        ];
        choice("variant", &self.variant, &variants)
    }
}

/// What a ranker reads.
struct Ground {
    corpus: Arc<zgram::Corpus>,
    meter: Arc<Meter>,
}

/// A ranker of the library.
#[derive(Yokeable)]
struct Borrowed<'g>(zgram::analytics::Ranker<'g>);

/// A ranker together with what it reads: the corpus as it was when the ranker was made.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeRanker")]
pub(crate) struct Ranker {
    kept: Arc<Yoke<Borrowed<'static>, Arc<Ground>>>,
}

/// Indexes the words of documents: those of a query, or all.
#[pyfunction]
#[pyo3(signature = (corpus, asked, scoring, words=None, progress=None))]
pub(crate) fn ranker(
    py: Python<'_>,
    corpus: &Bound<'_, Corpus>,
    asked: Asked<'_>,
    scoring: Scoring,
    words: Option<Vec<String>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Ranker> {
    let open = corpus.get().open()?;
    let (scope, variant) = (asked.scope()?, scoring.variant()?);
    let made = long_with(py, progress.as_ref(), Arc::default(), move |meter| {
        in_this_process(|| {
            let (corpus, meter) = (open.store.snapshot()?, Arc::clone(meter));
            Yoke::try_attach_to_cart(Arc::new(Ground { corpus, meter }), |ground| {
                let query = match words {
                    Some(words) => ground.corpus.rank(words),
                    None => ground.corpus.ranker(),
                };
                let query = query.variant(variant).k1(scoring.k1).b(scoring.b).delta(scoring.delta);
                Ok::<_, QueryError>(Borrowed(scope.of(query, &*ground.meter).prepare()?))
            })
        })
    })?;
    Ok(Ranker { kept: Arc::new(made.map_err(exception)?) })
}

/// Positions of documents, and their scores.
type Best<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// What a word adds to a score: the word, the documents that contain it, its weight, its count in the
/// document, the words of the document, and what it adds.
type Part<'py> = (Bound<'py, PyAny>, u64, f64, u64, u64, f64);

fn arrays(py: Python<'_>, best: Vec<Ranked>) -> Best<'_> {
    let (positions, scores): (Vec<i64>, Vec<f64>) =
        best.into_iter().map(|ranked| (ranked.document as i64, ranked.score)).unzip();
    (positions.into_pyarray(py), scores.into_pyarray(py))
}

#[pymethods]
impl Ranker {
    /// The documents that match some words best.
    fn rank<'py>(&self, py: Python<'py>, words: Vec<String>, most: usize) -> PyResult<Best<'py>> {
        let best = short(py, || self.kept.get().0.rank(&words, most));
        Ok(arrays(py, best.map_err(exception)?))
    }

    /// The same for many queries, on all cores.
    fn rank_many<'py>(
        &self,
        py: Python<'py>,
        queries: Vec<Vec<String>>,
        most: usize,
    ) -> PyResult<Vec<Best<'py>>> {
        let kept = Arc::clone(&self.kept);
        let answers = long(py, None, move |meter| {
            in_this_process(|| {
                let answer = |words: &Vec<String>| {
                    meter.check()?;
                    kept.get().0.rank(words, most)
                };
                queries.par_iter().map(answer).collect::<Result<Vec<_>, QueryError>>()
            })
        })?;
        Ok(answers.map_err(exception)?.into_iter().map(|best| arrays(py, best)).collect())
    }

    /// What each word of a query adds to the score of a document.
    fn explain<'py>(
        &self,
        py: Python<'py>,
        words: Vec<String>,
        position: usize,
    ) -> PyResult<Vec<Part<'py>>> {
        let parts = short(py, || self.kept.get().0.explain(&words, position));
        let part = |part: WordScore| {
            let WordScore { word, documents, idf, count, length, score } = part;
            Ok((text_of(py, word.as_bytes())?, documents, idf, count, length, score))
        };
        parts.map_err(exception)?.into_iter().map(part).collect()
    }

    /// The name of a document.
    fn name<'py>(&self, py: Python<'py>, position: usize) -> PyResult<Bound<'py, PyAny>> {
        let documents = self.kept.backing_cart().corpus.documents().map_err(exception)?;
        text_of(py, documents.name(position).unwrap_or_default())
    }

    /// The number of documents that are ranked.
    #[getter]
    fn document_count(&self) -> usize {
        self.kept.get().0.documents()
    }

    /// The words of a document on average.
    #[getter]
    fn mean_length(&self) -> f64 {
        self.kept.get().0.mean_length()
    }
}
