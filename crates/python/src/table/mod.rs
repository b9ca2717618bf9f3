//! Tables: questions whose answers are streams of Arrow record batches.
//!
//! A table keeps a question, not an answer. Each reader runs it again, on the corpus as it is then.
//!
//! | file | what it does |
//! |---|---|
//! | `source` | what a table asks: where its batches come from |
//! | `question` | the six tasks, as Python asks for them |
//! | `rows`, `lists` | answers of the six tasks as batches |
//! | `strings` | columns of text |
//! | `columns` | tables whose columns are at hand, or come all at once |
//! | `stream` | runs a question on a thread of its own, and hands batches out as they come |
//! | `capsule` | the Arrow PyCapsule interface |
//! | `values` | batches as Python's and numpy's values |
//! | `file`, `lines` | tables as files |

mod capsule;
mod columns;
mod file;
mod lines;
mod lists;
mod question;
mod rows;
mod source;
mod stream;
mod strings;
mod values;

pub(crate) use columns::columns_table;
#[allow(unused_imports, reason = "measures that need all counts follow")]
pub(crate) use columns::{Values, computed};
pub(crate) use question::rows_table;
#[allow(unused_imports, reason = "as above")]
pub(crate) use source::{Column as TableColumn, Failure, Kind};
pub(crate) use stream::TableStream;

use crate::options::path_of;
use arrow_schema::FieldRef;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use source::{Column, Known, Source};
use std::path::PathBuf;
use std::sync::Arc;
use stream::start;
use strings::Strings;

/// What the Python class `Table` is built on.
#[pyclass(frozen, module = "zgram._zgram", name = "NativeTable")]
pub(crate) struct Table {
    source: Arc<dyn Source>,
    /// How consumers get text that do not ask for another type.
    strings: Strings,
    /// The most rows.
    limit: Option<usize>,
    known: Arc<Known>,
}

impl Table {
    pub(crate) fn new(source: impl Source + 'static, strings: Strings) -> Self {
        Self { source: Arc::new(source), strings, limit: None, known: Arc::default() }
    }

    fn start(&self, strings: Strings, progress: Option<Py<PyAny>>) -> PyResult<stream::Stream> {
        start(&self.source, (strings, self.limit), &self.known, progress)
    }
}

#[pymethods]
impl Table {
    /// Names and kinds of the columns: "text", "count", "score" or "list".
    fn columns(&self) -> Vec<(String, &'static str)> {
        let shown = |column: &Column| (column.name.clone(), column.kind.name());
        self.source.columns().iter().map(shown).collect()
    }

    /// Names and Arrow types of the columns, as pyarrow writes them.
    fn schema(&self) -> Vec<(String, String)> {
        let schema = source::schema(&self.source.columns(), self.strings);
        let shown = |field: &FieldRef| (field.name().clone(), source::shown(field.data_type()));
        schema.fields().iter().map(shown).collect()
    }

    /// The same question, of which only the first rows are read.
    fn head(&self, rows: usize) -> Self {
        Self {
            source: Arc::clone(&self.source),
            strings: self.strings,
            limit: Some(self.limit.map_or(rows, |limit| limit.min(rows))),
            known: Arc::default(),
        }
    }

    /// The number of rows, if the question has been read to its end since the corpus was opened or
    /// edited.
    fn known_rows(&self) -> PyResult<Option<u64>> {
        Ok(self.known.rows(&self.source.state()?))
    }

    /// Runs the question. Text is "plain", a "view" or a "dictionary".
    #[pyo3(signature = (strings=None, progress=None))]
    fn stream(&self, strings: Option<&str>, progress: Option<Py<PyAny>>) -> PyResult<TableStream> {
        let strings = strings.map(Strings::named).transpose()?.unwrap_or(self.strings);
        Ok(TableStream::new(self.start(strings, progress)?))
    }

    /// Writes the rows to a file, which gets its name when it is complete.
    #[pyo3(signature = (path, format, force=false, progress=None))]
    fn write(
        &self,
        py: Python<'_>,
        path: &Bound<'_, PyAny>,
        format: &str,
        force: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<u64> {
        let path = PathBuf::from(path_of(path)?);
        file::write(py, self, &path, (file::Format::named(format)?, force), progress.as_ref())
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsule::of_schema(py, &source::schema(&self.source.columns(), self.strings))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyCapsule>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let requested = requested_schema.map(capsule::requested_strings).transpose()?.flatten();
        let mut stream = self.start(requested.unwrap_or(self.strings), None)?;
        stream.hand_out()?;
        capsule::of_stream(py, stream)
    }
}
