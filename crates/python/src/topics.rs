//! Topics of documents: latent Dirichlet allocation.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::matrix::{AskedTerms, Counting, row_names, texts};
use crate::scope::Asked;
use crate::work::{Meter, in_this_process, long};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyList;
use zgram::analytics::Terms;
use zgram::error::QueryError;
use zgram::progress::{Progress, Stage};
use zgram_models::lda::{Lda, LdaError, LdaOptions, hold_out};

/// Which model is trained, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Model {
    topics: usize,
    iterations: u64,
    alpha: f64,
    beta: f64,
    seed: u64,
    hold_out: Option<f64>,
    threads: usize,
    memory: Option<u64>,
}

/// A trained model.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeTopics")]
pub(crate) struct Topics {
    lda: Lda,
    alpha: f64,
    beta: f64,
    words: Terms,
    rows: Terms,
    /// How many words each document has.
    lens: Vec<u64>,
    /// Of each pass.
    perplexities: Vec<f64>,
    held_out_perplexity: Option<f64>,
}

/// Why there is no model.
enum Failure {
    Query(QueryError),
    Lda(LdaError),
}

impl From<QueryError> for Failure {
    fn from(error: QueryError) -> Self {
        Self::Query(error)
    }
}

impl From<LdaError> for Failure {
    fn from(error: LdaError) -> Self {
        Self::Lda(error)
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Query(error) => exception(error),
            Failure::Lda(LdaError::Interrupted(_)) => PyKeyboardInterrupt::new_err(()),
            Failure::Lda(error) => named("InvalidRequest", error.to_string()),
        }
    }
}

/// Trains a topic model.
#[pyfunction]
#[pyo3(signature = (corpus, asked, terms, model, progress=None))]
pub(crate) fn lda(
    py: Python<'_>,
    corpus: &Bound<'_, Corpus>,
    asked: Asked<'_>,
    terms: AskedTerms,
    model: Model,
    progress: Option<Py<PyAny>>,
) -> PyResult<Topics> {
    let open = corpus.get().open()?;
    let counting = Counting::new(asked, terms)?;
    let trained = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot().map_err(QueryError::from)?;
            train(&snapshot, counting, &model, meter)
        })
    })?;
    Ok(trained?)
}

fn train(
    corpus: &zgram::Corpus,
    counting: Counting,
    model: &Model,
    meter: &Meter,
) -> Result<Topics, Failure> {
    let mut options = LdaOptions {
        topics: model.topics,
        alpha: model.alpha,
        beta: model.beta,
        seed: model.seed,
        threads: model.threads,
        ..LdaOptions::default()
    };
    options.memory = model.memory.unwrap_or(options.memory);
    options.validate()?;
    let run = counting.query(corpus, meter).prepare()?;
    let matrix = run.collect()?;
    let (matrix, held_out) = match model.hold_out {
        None => (matrix, None),
        Some(share) => {
            let split = hold_out(&matrix, share, model.seed)?;
            (split.training, Some(split.held_out))
        }
    };
    let mut lda = Lda::new(&matrix, &options)?;
    meter.expect(Stage::Training, lda.tokens().saturating_mul(model.iterations));
    let mut perplexities = Vec::new();
    while lda.iterations() < model.iterations {
        perplexities.push(lda.iterate(meter)?);
        meter.advance(Stage::Training, lda.tokens());
    }
    Ok(Topics {
        held_out_perplexity: held_out.and_then(|held_out| lda.held_out_perplexity(&held_out)),
        lens: (0..matrix.rows()).map(|row| matrix.row(row).1.iter().sum()).collect(),
        words: run.terms().clone(),
        rows: row_names(&run),
        alpha: model.alpha,
        beta: model.beta,
        perplexities,
        lda,
    })
}

/// Numbers of words or topics, and their weights, the largest first.
type Weights<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

#[pymethods]
impl Topics {
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        texts(py, &self.words)
    }

    fn documents<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        texts(py, &self.rows)
    }

    /// The occurrences of each topic.
    fn sizes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let sizes: Vec<i64> = self.lda.topic_sizes().iter().map(|&size| size as i64).collect();
        sizes.into_pyarray(py)
    }

    fn perplexities<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        self.perplexities.clone().into_pyarray(py)
    }

    fn held_out_perplexity(&self) -> Option<f64> {
        self.held_out_perplexity
    }

    /// The words with occurrences of a topic.
    fn words_of<'py>(&self, py: Python<'py>, topic: usize) -> Weights<'py> {
        let (words, weights): (Vec<i64>, Vec<f64>) =
            self.lda.topic_words(topic).into_iter().map(|(word, at)| (i64::from(word), at)).unzip();
        (words.into_pyarray(py), weights.into_pyarray(py))
    }

    /// The probability of each word in each topic: topics × words.
    fn topic_words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let (sizes, width) = (self.lda.topic_sizes(), self.words.len());
        let weights = py.detach(|| {
            let mut weights = Vec::with_capacity(sizes.len() * width);
            for (topic, &size) in sizes.iter().enumerate() {
                let start = weights.len();
                let none = self.beta / (size as f64 + width as f64 * self.beta);
                weights.resize(start + width, none);
                for (word, weight) in self.lda.topic_words(topic) {
                    weights[start + word as usize] = weight;
                }
            }
            weights
        });
        weights.into_pyarray(py).reshape([sizes.len(), width])
    }

    /// The probability of each topic in each document: documents × topics.
    fn document_topics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let topics = self.lda.topic_sizes().len();
        let weights = py.detach(|| {
            let mut weights = Vec::with_capacity(self.lens.len() * topics);
            for (document, &len) in self.lens.iter().enumerate() {
                let start = weights.len();
                let none = self.alpha / (len as f64 + topics as f64 * self.alpha);
                weights.resize(start + topics, none);
                for (topic, weight) in self.lda.document_topics(document) {
                    weights[start + topic] = weight;
                }
            }
            weights
        });
        weights.into_pyarray(py).reshape([self.lens.len(), topics])
    }
}
