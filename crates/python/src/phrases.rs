//! Phrases as they are asked for, and all their spellings under a view.

use crate::corpus::{Kind, Open};
use crate::errors::exception;
use crate::options::{bytes_of, view};
use crate::work::{in_this_process, long};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex, PoisonError};
use zgram::access::Phrase;
use zgram::store::Speller;

/// Views whose spellings are kept.
const KEPT: usize = 4;

/// The spellers of the views that were used last, the latest at the end.
#[derive(Default)]
pub(crate) struct Spellers(Mutex<Vec<(Py<PyAny>, Arc<Speller>)>>);

impl Spellers {
    fn find(&self, py: Python<'_>, shown: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Speller>>> {
        // Comparing runs Python's code, so not while the list is locked.
        let known: Vec<_> = {
            let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.iter().rev().map(|(view, made)| (view.clone_ref(py), Arc::clone(made))).collect()
        };
        for (view, made) in known {
            if view.bind(py).is(shown) || view.bind(py).eq(shown)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    fn keep(&self, shown: &Bound<'_, PyAny>, made: &Arc<Speller>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.push((shown.clone().unbind(), Arc::clone(made)));
        let dropped = if kept.len() > KEPT { Some(kept.remove(0)) } else { None };
        // Dropping may run Python's code too.
        drop(kept);
        drop(dropped);
    }
}

/// How phrases are read: as they are, or as a view shows them.
pub(crate) struct Reading(Option<Arc<Speller>>);

impl Reading {
    /// The first time, a view reads the whole dictionary.
    pub(crate) fn new(
        py: Python<'_>,
        open: &Arc<Open>,
        shown: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let Some(shown) = shown else { return Ok(Self(None)) };
        if let Some(made) = open.spellers.find(py, shown)? {
            return Ok(Self(Some(made)));
        }
        let view = view(Some(shown))?;
        let of_work = Arc::clone(open);
        let made = long(py, None, move |_| in_this_process(|| of_work.store.speller(view)))?;
        let made = Arc::new(made.map_err(exception)?);
        open.spellers.keep(shown, &made);
        Ok(Self(Some(made)))
    }

    /// The phrases that equal a text.
    pub(crate) fn phrases(&self, text: &Bound<'_, PyAny>) -> PyResult<Vec<Phrase>> {
        let phrase = Phrase::new(bytes_of(text)?).map_err(exception)?;
        match &self.0 {
            None => Ok(vec![phrase]),
            // Microseconds, without a look at the file.
            Some(speller) => speller.spellings(&phrase).map_err(exception),
        }
    }
}

/// Whether these phrases have few matches for sure: a phrase occurs at most as often as its rarest word.
pub(crate) fn are_rare(open: &Open, phrases: &[Phrase], most: u64) -> bool {
    let is_rare = |word: &[u8]| {
        let counted = Phrase::new(word).and_then(|word| open.store.count_all(&word));
        counted.is_ok_and(|count| count <= most)
    };
    open.is_quick(Kind::Words) && phrases.iter().all(|phrase| phrase.words().any(is_rare))
}
