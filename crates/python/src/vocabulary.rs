//! The distinct words of a corpus, with their counts.

use crate::corpus::Corpus;
use crate::errors::{exception, named};
use crate::matrix::texts;
use crate::options::bytes_of;
use crate::scope::Asked;
use crate::work::{in_this_process, long};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;
use pyo3::types::PyList;
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::Arc;
use zgram::analytics::{RowBatch, Terms};

/// Words in the order of their bytes.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeVocabulary")]
pub(crate) struct Vocabulary {
    kept: Arc<Counted>,
}

/// Words in the order of their bytes, and how often each occurs.
pub(crate) struct Counted {
    words: Terms,
    counts: Vec<u64>,
}

impl Counted {
    /// Where the words from `word` on begin.
    fn from(&self, word: &[u8]) -> usize {
        self.first(|other| other >= word)
    }

    /// The first word for which `holds`; it holds for all after that too.
    fn first(&self, holds: impl Fn(&[u8]) -> bool) -> usize {
        let (mut low, mut high) = (0, self.words.len());
        while low < high {
            let middle = low.midpoint(high);
            match holds(self.words.get(middle)) {
                true => high = middle,
                false => low = middle + 1,
            }
        }
        low
    }

    fn choose(&self, places: impl Iterator<Item = usize>) -> Vocabulary {
        let mut chosen = Self { words: Terms::default(), counts: Vec::new() };
        for place in places {
            chosen.words.push(self.words.get(place));
            chosen.counts.push(self.counts[place]);
        }
        Vocabulary { kept: Arc::new(chosen) }
    }
}

/// Counts the words of documents. Those of a whole corpus are stored in its file, and kept once read.
#[pyfunction]
#[pyo3(signature = (corpus, asked, progress=None))]
pub(crate) fn vocabulary(
    py: Python<'_>,
    corpus: &Bound<'_, Corpus>,
    asked: Asked<'_>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Vocabulary> {
    let open = corpus.get().open()?;
    let is_whole = asked.is_everything();
    if let Some(kept) = open.vocabulary.get().filter(|_| is_whole) {
        return Ok(Vocabulary { kept: Arc::clone(kept) });
    }
    let scope = asked.scope()?;
    let of_work = Arc::clone(&open);
    let counted = long(py, progress.as_ref(), move |meter| {
        in_this_process(|| {
            let snapshot = of_work.store.snapshot()?;
            let mut counted = Counted { words: Terms::default(), counts: Vec::new() };
            let encode = |batch: &RowBatch<'_>| -> Vec<(Vec<u8>, u64)> {
                batch.rows().map(|row| (row.text(), row.count)).collect()
            };
            scope.of(snapshot.sort(), meter).for_each_batch(encode, |rows| {
                for (word, count) in rows {
                    counted.words.push(&word);
                    counted.counts.push(count);
                }
                Ok(())
            })?;
            Ok::<_, zgram::error::QueryError>(counted)
        })
    })?;
    let counted = Arc::new(counted.map_err(exception)?);
    let kept = match is_whole {
        true => Arc::clone(open.vocabulary.get_or_init(|| counted)),
        false => counted,
    };
    Ok(Vocabulary { kept })
}

#[pymethods]
impl Vocabulary {
    fn __len__(&self) -> usize {
        self.kept.words.len()
    }

    /// All words.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        texts(py, &self.kept.words)
    }

    /// How often each word occurs.
    fn counts<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        let counts: Vec<i64> = self.kept.counts.iter().map(|&count| count as i64).collect();
        counts.into_pyarray(py)
    }

    /// The place of a word.
    fn find(&self, word: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
        let word = bytes_of(word)?;
        let place = self.kept.from(&word);
        let is_there = place < self.kept.words.len() && self.kept.words.get(place) == word;
        Ok(is_there.then_some(place))
    }

    /// How often the word at a place occurs.
    fn count(&self, place: usize) -> u64 {
        self.kept.counts[place]
    }

    /// The words that begin with `prefix`.
    fn prefix(&self, prefix: &Bound<'_, PyAny>) -> PyResult<Self> {
        let prefix = bytes_of(prefix)?;
        let start = self.kept.from(&prefix);
        let end = self.kept.first(|word| word > &prefix[..] && !word.starts_with(&prefix));
        let places: Range<usize> = start..end.max(start);
        Ok(self.kept.choose(places))
    }

    /// The words in which a regular expression matches.
    fn matching(&self, pattern: &str) -> PyResult<Self> {
        let pattern =
            Regex::new(pattern).map_err(|error| named("InvalidRequest", error.to_string()))?;
        let words = self.kept.words.iter().enumerate();
        let matching = words.filter(|(_, word)| pattern.is_match(word)).map(|(place, _)| place);
        Ok(self.kept.choose(matching))
    }
}
