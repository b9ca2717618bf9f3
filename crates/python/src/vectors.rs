//! Word vectors: trained on a corpus, or read from a file.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::matrix::texts;
use crate::options::path_of;
use crate::scope::Asked;
use crate::work::{in_this_process, long};
use numpy::{IntoPyArray, PyArrayMethods};
use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::io::BufReader;
use std::path::PathBuf;
use zgram::analytics::Terms;
use zgram::error::FileError;
use zgram_models::vectors::{VectorsError, WordVectors};
use zgram_models::word2vec::{Objective, Word2Vec, Word2VecError};

/// What is trained, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Training {
    size: usize,
    window: u32,
    epochs: u32,
    negative: u32,
    hierarchical: bool,
    skip_gram: bool,
    min_count: u64,
    max_vocab: Option<usize>,
    sample: f64,
    alpha: f32,
    seed: u64,
}

/// What was trained.
struct Trained {
    vectors: WordVectors,
    counts: Vec<u64>,
    /// Of each epoch.
    losses: Vec<f64>,
}

/// Trains word vectors: the list `words`, and the arrays `vectors`, `counts`, `losses`.
#[pyfunction]
#[pyo3(signature = (corpus, asked, training, progress=None))]
pub(crate) fn word2vec<'py>(
    py: Python<'py>,
    corpus: &Bound<'py, Corpus>,
    asked: Asked<'py>,
    training: Training,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let open = corpus.get().open()?;
    let scope = asked.scope()?;
    let trained = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = open.store.snapshot()?;
            let mut options = Word2Vec::new(&snapshot).view(scope.view).threads(scope.threads);
            if let Some(documents) = scope.documents {
                options = options.documents(documents);
            }
            let objective = match training.hierarchical {
                true => Objective::Hierarchical,
                false => Objective::Negative(training.negative),
            };
            options = options.size(training.size).window(training.window).objective(objective);
            options = options.epochs(training.epochs).skip_gram(training.skip_gram);
            options = options.min_count(training.min_count).sample(training.sample);
            options = options.max_vocab(training.max_vocab.unwrap_or(usize::MAX));
            options = options.alpha(training.alpha).seed(training.seed).progress(meter);
            let mut training = options.prepare()?;
            let mut losses = Vec::new();
            while let Some(epoch) = training.next_epoch()? {
                losses.push(epoch.loss());
            }
            let counts = training.vocabulary().counts().to_vec();
            Ok::<_, Word2VecError>(Trained { vectors: training.vectors(), counts, losses })
        })
    })?;
    let trained = trained.map_err(|error| match error {
        error if error.is_interrupted() => PyKeyboardInterrupt::new_err(()),
        Word2VecError::Query(error) => exception(error),
        error => named("InvalidRequest", error.to_string()),
    })?;
    let dict = arrays(py, &trained.vectors)?;
    let counts: Vec<i64> = trained.counts.into_iter().map(|count| count as i64).collect();
    dict.set_item("counts", counts.into_pyarray(py))?;
    dict.set_item("losses", trained.losses.into_pyarray(py))?;
    Ok(dict)
}

/// Reads vectors of either of word2vec's formats: the list `words` and the array `vectors`.
#[pyfunction]
pub(crate) fn read_vectors<'py>(
    py: Python<'py>,
    path: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let path = PathBuf::from(path_of(path)?);
    let of_work = path.clone();
    let read = long(py, None, move |_| {
        let file = std::fs::File::open(of_work)?;
        WordVectors::read(BufReader::with_capacity(1 << 16, file))
    })?;
    let vectors = read.map_err(|error| match error {
        VectorsError::Input(source) => {
            exception(zgram::error::OpenError::from(FileError { action: "read", path, source }))
        }
        error => named("InvalidRequest", format!("{}: {error}", path.display())),
    })?;
    arrays(py, &vectors)
}

fn arrays<'py>(py: Python<'py>, vectors: &WordVectors) -> PyResult<Bound<'py, PyDict>> {
    let all = 0..vectors.len();
    let words: Terms = all.clone().map(|word| vectors.word(word)).collect();
    let mut numbers = Vec::with_capacity(vectors.len() * vectors.size());
    all.for_each(|word| numbers.extend_from_slice(vectors.vector(word)));
    let dict = PyDict::new(py);
    dict.set_item("words", texts(py, &words)?)?;
    let numbers = numbers.into_pyarray(py).reshape([vectors.len(), vectors.size()])?;
    dict.set_item("vectors", numbers)?;
    Ok(dict)
}
