//! Rows on their way to a file or a terminal.
//!
//! Batches are encoded by whichever thread has counted them and written in order.

mod columnar;
mod json;
mod plain;
mod table;

use crate::args::tasks::{OutputArgs, RowFormat};
use crate::destination::Destination;
use crate::interrupt;
use crate::paths::folder_of;
use crate::reporter::Reporter;
use crate::screen;
use anyhow::Context;
use columnar::{Container, Schema};
use std::fs::File;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use table::TableWriter;
use tempfile::NamedTempFile;
use zgram::analytics::{Query, Question, Report};
use zgram::format::DocumentTable;

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
    names: &'c DocumentTable,
    target: Target,
}

/// A file that takes its name when it is complete, a device or pipe, or standard output.
enum Target {
    File { temporary: NamedTempFile, path: PathBuf, force: bool },
    Stream { file: File, path: PathBuf },
    Standard,
}

impl<'c> Output<'c> {
    pub(super) fn new(
        args: &OutputArgs,
        columns: Columns,
        names: &'c DocumentTable,
    ) -> anyhow::Result<Self> {
        let is_terminal = args.output.is_none() && io::stdout().is_terminal();
        let format = match args.format {
            RowFormat::Auto if is_terminal => RowFormat::Table,
            RowFormat::Auto => RowFormat::Tsv,
            format => format,
        };
        let is_binary = matches!(format, RowFormat::Parquet | RowFormat::Arrow);
        if is_binary && is_terminal {
            let hint = "give a file with -o, or send it through a pipe";
            return Err(
                crate::complaint::Refusal::error("this format is not for terminals", hint).into()
            );
        }
        let path = args.output.as_deref().unwrap_or("-".as_ref());
        let target = match Destination::of(path, args.force, "rows.tsv")? {
            Destination::Stdout => Target::Standard,
            Destination::Stream(file, path) => Target::Stream { file, path },
            Destination::File(path) => {
                // A temporary file is removed before the program ends.
                interrupt::clean_up_from_now_on();
                let folder = folder_of(&path);
                let temporary = temporary_file(folder)
                    .with_context(|| format!("cannot create a file in {}", folder.display()))?;
                Target::File { temporary, path, force: args.force }
            }
        };
        Ok(Self { format, columns, names, target })
    }

    /// Whether rows are shown to a person as they come.
    fn is_for_a_terminal(&self) -> bool {
        matches!(self.target, Target::Standard) && io::stdout().is_terminal()
    }

    /// Answers the query and writes its rows. Progress is shown until the first row goes to the
    /// terminal.
    pub(super) fn write<Q: Clone + Into<Question>>(
        self,
        query: &Query<'_, Q>,
        reporter: &Reporter,
    ) -> anyhow::Result<Report> {
        let is_for_a_terminal = self.is_for_a_terminal();
        let Self { format, columns, names, target } = self;
        match target {
            Target::Standard => {
                let before_first = || {
                    if is_for_a_terminal {
                        reporter.hide();
                    }
                };
                let mut out = FirstWrite { out: io::stdout(), before_first: Some(before_first) };
                let report = write_rows(format, columns, names, query, &mut out)?;
                out.flush()?;
                Ok(report)
            }
            Target::Stream { mut file, path } => {
                write_rows(format, columns, names, query, &mut file)
                    .with_context(|| format!("cannot write to {}", path.display()))
            }
            Target::File { mut temporary, path, force } => {
                let report = write_rows(format, columns, names, query, temporary.as_file_mut())?;
                // The old answer goes only when the new one is safe; where there is none, a crash
                // can lose nothing that was there.
                if path.exists() {
                    let synced = temporary.as_file().sync_all();
                    synced.with_context(|| format!("cannot write {}", path.display()))?;
                }
                let persisted = match force {
                    true => temporary.persist(&path).map_err(|error| error.error),
                    false => temporary.persist_noclobber(&path).map_err(|error| error.error),
                };
                persisted.with_context(|| format!("cannot create {}", path.display()))?;
                Ok(report)
            }
        }
    }
}

/// A file that everyone may read whom the user's umask allows: a temporary file would be for its
/// owner alone.
fn temporary_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
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
    format: RowFormat,
    columns: Columns,
    names: &DocumentTable,
    query: &Query<'_, Q>,
    out: &mut W,
) -> anyhow::Result<Report> {
    let failed = |error: io::Error| zgram::Error::Output { source: error };
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
            let schema = Schema::new(columns, names);
            let container = match format {
                RowFormat::Parquet => Container::Parquet,
                _ => Container::ArrowStream,
            };
            let mut writer = container.writer(&schema, out)?;
            let report = query.for_each_batch(
                |batch| schema.record_batch(batch),
                |batch| writer.write(&batch).map_err(|error| failed(io::Error::other(error))),
            )?;
            writer.finish()?;
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
