//! What every question has: documents, a view of words, threads, memory.

use crate::options::view;
use pyo3::prelude::*;
use zgram::analytics::{Query, View};
use zgram::progress::Progress;

/// The same as Python says it: the items of a dict.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    view: Option<Bound<'py, PyAny>>,
    documents: Option<Vec<usize>>,
    threads: usize,
    memory: Option<u64>,
}

/// Which documents are asked about, and how their words are read.
pub(crate) struct Scope {
    pub(crate) view: View,
    /// Positions; `None` for all documents.
    pub(crate) documents: Option<Vec<usize>>,
    pub(crate) threads: usize,
    pub(crate) memory: Option<u64>,
}

impl Asked<'_> {
    /// Whether it is about all documents and words as they are.
    pub(crate) fn is_everything(&self) -> bool {
        self.view.is_none() && self.documents.is_none()
    }

    pub(crate) fn scope(self) -> PyResult<Scope> {
        let Self { view: shown, documents, threads, memory } = self;
        Ok(Scope { view: view(shown.as_ref())?, documents, threads, memory })
    }
}

impl Scope {
    /// Asks a question within the scope.
    pub(crate) fn of<'c, Q>(self, query: Query<'c, Q>, meter: &'c dyn Progress) -> Query<'c, Q> {
        let mut query = query.view(self.view).threads(self.threads).progress(meter);
        if let Some(documents) = self.documents {
            query = query.documents(documents);
        }
        if let Some(memory) = self.memory {
            query = query.memory(memory);
        }
        query
    }
}
