//! Tables as files.
//!
//! Rows are written as they come, into a temporary file that gets its name when it is complete. Text is
//! plain: Parquet itself stores each word once.

use super::lines::Lines;
use super::source::{Failure, schema};
use super::strings::Strings;
use super::{Table, stream};
use crate::errors::named;
use crate::options::choice;
use crate::work::{in_this_process, long};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use pyo3::prelude::*;
use std::io::BufWriter;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zgram::error::{FileError, QueryError};
use zgram::plumbing::{folder_of, temporary_file};
use zgram_cli::columnar::{Container, Writer};

/// A format of files.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    Columnar(Container),
    Lines(super::lines::Line),
}

impl Format {
    pub(super) fn named(name: &str) -> PyResult<Self> {
        use super::lines::Line;
        let formats = [
            ("parquet", Self::Columnar(Container::Parquet)),
            ("arrow", Self::Columnar(Container::ArrowFile)),
            ("arrows", Self::Columnar(Container::ArrowStream)),
            ("csv", Self::Lines(Line::Delimited(b','))),
            ("tsv", Self::Lines(Line::Delimited(b'\t'))),
            ("ndjson", Self::Lines(Line::Object)),
            ("json", Self::Lines(Line::Element)),
        ];
        choice("format", name, &formats)
    }
}

/// Writes a table and returns the number of its rows.
pub(super) fn write(
    py: Python<'_>,
    table: &Table,
    path: &Path,
    (format, force): (Format, bool),
    progress: Option<&Py<PyAny>>,
) -> PyResult<u64> {
    if path.exists() {
        if !force {
            let message = format!("{} exists; force=True replaces it", path.display());
            return Err(named("AlreadyExists", message));
        }
        // An answer is made again in seconds; a corpus, and perhaps the one that it comes from, is not.
        if zgram::Corpus::open_without_edits(path).is_ok() {
            let message = format!("{} is a corpus: name another file", path.display());
            return Err(named("InvalidRequest", message));
        }
    }
    let (state, work) = table.source.begin()?;
    let schema = schema(&table.source.columns(), Strings::Plain);
    let (limit, path) = (table.limit, path.to_owned());
    let written = long(py, progress, move |meter| {
        in_this_process(|| {
            let mut file = File::create(&path, &schema, format)?;
            let mut failed = None;
            let rows = stream::run(work, meter, (Strings::Plain, limit), &mut |batch| match file
                .batch(&batch)
            {
                Ok(()) => ControlFlow::Continue(()),
                Err(failure) => {
                    failed = Some(failure);
                    ControlFlow::Break(())
                }
            })?;
            if let Some(failure) = failed {
                return Err(failure);
            }
            file.commit(force)?;
            Ok(rows.unwrap_or_default())
        })
    })?;
    let rows = written.map_err(Failure::into_exception)?;
    table.known.set(state.as_ref(), rows);
    Ok(rows)
}

type Buffered = BufWriter<tempfile::NamedTempFile>;

/// A file on its way.
struct File {
    path: PathBuf,
    body: Body,
}

enum Body {
    Columnar(Writer<Buffered>),
    Lines(Lines<Buffered>),
}

impl File {
    fn create(path: &Path, schema: &SchemaRef, format: Format) -> Result<Self, Failure> {
        let folder = folder_of(path);
        let failed = |source| {
            let path = folder.to_owned();
            Failure::from(QueryError::File(FileError { action: "create a file in", path, source }))
        };
        let out = BufWriter::with_capacity(1 << 16, temporary_file(folder).map_err(failed)?);
        let body = match format {
            Format::Columnar(container) => {
                let writer = container.writer(Arc::clone(schema), out);
                Body::Columnar(writer.map_err(|error| unwritten(path, &error))?)
            }
            Format::Lines(line) => {
                Body::Lines(Lines::new(line, schema, out).map_err(|error| unwritten(path, &error))?)
            }
        };
        Ok(Self { path: path.to_owned(), body })
    }

    fn batch(&mut self, batch: &RecordBatch) -> Result<(), Failure> {
        match &mut self.body {
            Body::Columnar(writer) => {
                writer.write(batch).map_err(|error| unwritten(&self.path, &error))
            }
            Body::Lines(lines) => lines.batch(batch).map_err(|error| unwritten(&self.path, &error)),
        }
    }

    /// Gives the complete file its name.
    fn commit(self, force: bool) -> Result<(), Failure> {
        let Self { path, body } = self;
        let out = match body {
            Body::Columnar(writer) => writer.finish().map_err(|error| unwritten(&path, &error))?,
            Body::Lines(lines) => lines.finish().map_err(|error| unwritten(&path, &error))?,
        };
        let failed = |source| {
            let path = path.clone();
            Failure::from(QueryError::File(FileError { action: "write", path, source }))
        };
        let file = out.into_inner().map_err(|error| failed(error.into_error()))?;
        // The old file goes only when the new one is safe on disk.
        if path.exists() {
            file.as_file().sync_all().map_err(failed)?;
        }
        let persisted = match force {
            true => file.persist(&path).map_err(|error| error.error),
            false => file.persist_noclobber(&path).map_err(|error| error.error),
        };
        persisted.map_err(failed)?;
        Ok(())
    }
}

fn unwritten(path: &Path, error: &dyn std::fmt::Display) -> Failure {
    Failure::Named("FileError", format!("cannot write {}: {error}", path.display()))
}
