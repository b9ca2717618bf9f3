//! Rows on their way to a file or a terminal.
//!
//! Batches are encoded by whichever thread has counted them and written in order.

mod columnar;
mod json;
mod lists;
mod numbers;
mod plain;
mod table;

use crate::args::tasks::{OutputArgs, RowFormat};
use crate::columnar::Container;
use crate::output_file::OutputFile;
use crate::reporter::Reporter;
use crate::screen;
use columnar::{Batches, Schema};
pub(super) use lists::write_lists;
pub(super) use numbers::write_numbers;
use std::io::{self, BufWriter, Write};
use table::TableWriter;
use zgram::analytics::{Query, Question, Report, RowNames};
use zgram::error::QueryError;

/// Which columns rows have.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// The first column is `sequence`, not `word`.
    pub(super) sequences: bool,
    pub(super) documents: bool,
}

impl Columns {
    fn first(self) -> &'static str {
        if self.sequences { "sequence" } else { "word" }
    }
}

/// Where rows go, and how they are written.
pub(super) struct Output<'c> {
    format: RowFormat,
    columns: Columns,
    names: &'c RowNames<'c>,
    /// Whether columnar formats have plain strings.
    plain: bool,
    file: OutputFile,
}

impl<'c> Output<'c> {
    pub(super) fn new(
        args: &OutputArgs,
        columns: Columns,
        names: &'c RowNames<'c>,
    ) -> anyhow::Result<Self> {
        let (file, format) = args.open("rows.tsv")?;
        Ok(Self { format, columns, names, plain: args.plain_strings, file })
    }

    /// Answers the query and writes its rows. Progress is shown until the first row goes to the
    /// terminal.
    pub(super) fn write<Q: Clone + Into<Question>>(
        self,
        query: &Query<'_, Q>,
        reporter: &Reporter,
    ) -> anyhow::Result<Report> {
        let Self { format, columns, names, plain, mut file } = self;
        let is_terminal = file.is_terminal();
        let before_first = || {
            if is_terminal {
                reporter.hide();
            }
        };
        let mut out = FirstWrite { out: file.writer(), before_first: Some(before_first) };
        let report = write_rows((format, plain), columns, names, query, &mut out)?;
        file.commit()?;
        Ok(report)
    }
}

/// Calls `before_first` before anything is written.
struct FirstWrite<W, F> {
    out: W,
    before_first: Option<F>,
}

impl<W: Write, F: FnOnce()> Write for FirstWrite<W, F> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(before_first) = self.before_first.take() {
            before_first();
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn write_rows<Q: Clone + Into<Question>, W: Write + Send>(
    (format, plain): (RowFormat, bool),
    columns: Columns,
    names: &RowNames<'_>,
    query: &Query<'_, Q>,
    out: &mut W,
) -> anyhow::Result<Report> {
    let failed = |error: io::Error| QueryError::Output { source: error };
    let bytes = |text: &[u8], out: &mut W| out.write_all(text).map_err(failed);
    match format {
        RowFormat::Table => {
            let mut table = TableWriter::new(columns, screen::stdout_width(), BufWriter::new(out));
            let encode = |batch: &zgram::analytics::RowBatch<'_>| table::cells(batch, names);
            let report = query.for_each_batch(encode, |rows| table.write(rows).map_err(failed))?;
            table.finish()?;
            Ok(report)
        }
        RowFormat::Parquet | RowFormat::Arrow => {
            let schema = Schema::new(columns, names, plain);
            let container = match format {
                RowFormat::Parquet => Container::Parquet,
                _ => Container::ArrowStream,
            };
            let mut batches = Batches::new(container.writer(schema.fields(), out)?);
            let mut is_first = true;
            let report = query.for_each_batch(
                |batch| schema.record_batch(batch),
                |batch| {
                    let written = batches.write(batch, std::mem::take(&mut is_first));
                    written.map_err(failed)
                },
            )?;
            batches.finish()?;
            Ok(report)
        }
        RowFormat::Csv => {
            bytes(plain::csv_header(columns).as_bytes(), out)?;
            let labels = plain::csv_labels(names);
            Ok(query.for_each_batch(|b| b.delimited(&labels), |text| bytes(&text, out))?)
        }
        RowFormat::Ndjson => {
            let names = json::names(names);
            let encode = |b: &zgram::analytics::RowBatch<'_>| json::lines(b, columns, &names);
            Ok(query.for_each_batch(encode, |text| bytes(&text, out))?)
        }
        RowFormat::Json => {
            let names = json::names(names);
            let encode = |b: &zgram::analytics::RowBatch<'_>| json::elements(b, columns, &names);
            let mut between: &[u8] = b"[\n";
            let report = query.for_each_batch(encode, |text| {
                bytes(between, out)?;
                between = b",\n";
                bytes(&text, out)
            })?;
            let end: &[u8] = if between == b"[\n" { b"[]\n" } else { b"\n]\n" };
            bytes(end, out)?;
            Ok(report)
        }
        RowFormat::Tsv | RowFormat::Auto => {
            let labels = plain::tsv_labels(columns, names);
            Ok(query.for_each_batch(|b| b.delimited(&labels), |text| bytes(&text, out))?)
        }
    }
}
