//! Answers with columns of any kind, in all the formats that the tasks have.
//!
//! Rows are written as they come. Only a table for people waits for all of them, to align its columns.

use super::{Cell, Table, object};
use crate::args::tasks::{OutputArgs, RowFormat};
use crate::columnar::{Container, Writer};
use crate::reporter::Reporter;
use crate::text::visible;
use arrow_array::builder::{Float64Builder, StringBuilder, StringDictionaryBuilder, UInt64Builder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use serde_json::Value;
use std::io::{self, BufWriter, Write};
use std::sync::Arc;

/// Rows per batch of a columnar format.
const BATCH_ROWS: usize = 1 << 16;

/// A column of an answer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) key: &'static str,
    pub(crate) kind: Kind,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Words, names: [`Cell::Name`].
    Name,
    /// [`Cell::Count`].
    Count,
    /// [`Cell::Score`].
    Score,
}

impl Column {
    pub(crate) const fn name(key: &'static str) -> Self {
        Self { key, kind: Kind::Name }
    }

    pub(crate) const fn count(key: &'static str) -> Self {
        Self { key, kind: Kind::Count }
    }

    pub(crate) const fn score(key: &'static str) -> Self {
        Self { key, kind: Kind::Score }
    }
}

/// Takes one row.
pub(crate) type Sink<'s> = dyn FnMut(&[Cell<'_>]) -> anyhow::Result<()> + Send + 's;

/// Writes rows to where `args` says and returns their number. `rows` passes each row to the sink and
/// stops when that fails; if `rows` fails, no file is left behind.
pub(crate) fn write_records(
    columns: &[Column],
    args: &OutputArgs,
    reporter: &Reporter,
    rows: impl FnOnce(&mut Sink<'_>) -> anyhow::Result<()>,
) -> anyhow::Result<u64> {
    let (mut file, format) = args.open("rows.tsv")?;
    let is_terminal = file.is_terminal();
    let mut count = 0;
    let mut writer =
        RowWriter::new(columns, (format, args.plain_strings), is_terminal, file.writer())?;
    let outcome = rows(&mut |row| {
        count += 1;
        writer.row(row)
    });
    let outcome = outcome.and_then(|()| {
        if is_terminal {
            reporter.hide();
        }
        writer.finish()
    });
    outcome?;
    file.commit()?;
    Ok(count)
}

/// Writes rows in one format.
enum RowWriter<'w> {
    Table { table: Table, is_terminal: bool, out: &'w mut (dyn Write + Send) },
    Lines { columns: &'w [Column], line: Line, count: u64, out: Buffered<'w> },
    Columnar(Box<Batches<'w>>),
}

type Buffered<'w> = BufWriter<&'w mut (dyn Write + Send)>;

/// What a row is in a format of lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Tsv {
        is_terminal: bool,
    },
    Csv,
    Ndjson,
    /// An element of one array.
    Json,
}

impl<'w> RowWriter<'w> {
    fn new(
        columns: &'w [Column],
        (format, plain): (RowFormat, bool),
        is_terminal: bool,
        out: &'w mut (dyn Write + Send),
    ) -> anyhow::Result<Self> {
        let line = match format {
            RowFormat::Table => {
                let columns = columns.iter().map(|column| column.key).collect();
                let table = Table { key: "", columns, rows: Vec::new() };
                return Ok(Self::Table { table, is_terminal, out });
            }
            RowFormat::Parquet | RowFormat::Arrow => {
                let container = match format {
                    RowFormat::Parquet => Container::Parquet,
                    _ => Container::ArrowStream,
                };
                return Ok(Self::Columnar(Box::new(Batches::new(columns, plain, container, out)?)));
            }
            RowFormat::Csv => Line::Csv,
            RowFormat::Ndjson => Line::Ndjson,
            RowFormat::Json => Line::Json,
            RowFormat::Tsv | RowFormat::Auto => Line::Tsv { is_terminal },
        };
        let mut out = BufWriter::with_capacity(1 << 16, out);
        if line == Line::Csv {
            let keys: Vec<&str> = columns.iter().map(|column| column.key).collect();
            writeln!(out, "{}", keys.join(","))?;
        }
        Ok(Self::Lines { columns, line, count: 0, out })
    }

    fn row(&mut self, row: &[Cell<'_>]) -> anyhow::Result<()> {
        match self {
            Self::Table { table, .. } => {
                table.rows.push(row.iter().cloned().map(Cell::into_owned).collect());
            }
            Self::Columnar(batches) => batches.row(row)?,
            Self::Lines { columns, line, count, out } => {
                match line {
                    Line::Tsv { is_terminal } => {
                        delimited(row, b'\t', out, |cell| cell.to_tsv(*is_terminal))?;
                    }
                    Line::Csv => delimited(row, b',', out, csv_field)?,
                    Line::Ndjson => writeln!(out, "{}", json(columns, row))?,
                    Line::Json => {
                        let before = if *count == 0 { "[\n  " } else { ",\n  " };
                        write!(out, "{before}{}", json(columns, row))?;
                    }
                }
                *count += 1;
            }
        }
        Ok(())
    }

    fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Table { table, is_terminal, out } => {
                let mut text = Vec::new();
                table.write_aligned(is_terminal, &mut text)?;
                // Only what is drawn for people passes through the filter for colours.
                match is_terminal {
                    true => anstream::stdout().write_all(&text)?,
                    false => out.write_all(&anstream::adapter::strip_bytes(&text).into_vec())?,
                }
            }
            Self::Lines { line, count, mut out, .. } => {
                if line == Line::Json {
                    out.write_all(if count == 0 { b"[]\n" } else { b"\n]\n" })?;
                }
                out.flush()?;
            }
            Self::Columnar(batches) => batches.finish()?,
        }
        Ok(())
    }
}

fn json(columns: &[Column], row: &[Cell<'_>]) -> Value {
    object(columns.iter().map(|column| column.key), row)
}

fn delimited(
    row: &[Cell<'_>],
    delimiter: u8,
    out: &mut Buffered<'_>,
    field: impl Fn(&Cell<'_>) -> Vec<u8>,
) -> io::Result<()> {
    for (at, cell) in row.iter().enumerate() {
        if at > 0 {
            out.write_all(&[delimiter])?;
        }
        out.write_all(&field(cell))?;
    }
    out.write_all(b"\n")
}

/// A field of a CSV line, in quotes where it needs them.
fn csv_field(cell: &Cell<'_>) -> Vec<u8> {
    let text = match cell {
        Cell::Name(name) => name.to_vec(),
        Cell::Text(text) => text.clone().into_bytes(),
        number => return number.to_tsv(false),
    };
    if !text.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return text;
    }
    let mut quoted = vec![b'"'];
    for byte in text {
        if byte == b'"' {
            quoted.push(b'"');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}

/// Rows of a columnar format, gathered into batches.
struct Batches<'w> {
    schema: SchemaRef,
    builders: Vec<Builder>,
    rows: usize,
    writer: Writer<&'w mut (dyn Write + Send)>,
}

enum Builder {
    /// Where readers know no dictionaries.
    Plain(StringBuilder),
    Name(StringDictionaryBuilder<Int32Type>),
    Count(UInt64Builder),
    Score(Float64Builder),
}

impl<'w> Batches<'w> {
    fn new(
        columns: &[Column],
        plain: bool,
        container: Container,
        out: &'w mut (dyn Write + Send),
    ) -> anyhow::Result<Self> {
        let kind = |kind| match kind {
            Kind::Name if plain => DataType::Utf8,
            Kind::Name => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
            Kind::Count => DataType::UInt64,
            Kind::Score => DataType::Float64,
        };
        let fields: Vec<Field> =
            columns.iter().map(|column| Field::new(column.key, kind(column.kind), false)).collect();
        let schema = Arc::new(Schema::new(fields));
        let builder = |column: &Column| match column.kind {
            Kind::Name if plain => Builder::Plain(StringBuilder::new()),
            Kind::Name => Builder::Name(StringDictionaryBuilder::new()),
            Kind::Count => Builder::Count(UInt64Builder::new()),
            Kind::Score => Builder::Score(Float64Builder::new()),
        };
        let writer = container.writer(schema.clone(), out)?;
        Ok(Self { schema, builders: columns.iter().map(builder).collect(), rows: 0, writer })
    }

    fn row(&mut self, row: &[Cell<'_>]) -> anyhow::Result<()> {
        for (builder, cell) in self.builders.iter_mut().zip(row) {
            match (builder, cell) {
                (Builder::Name(names), Cell::Name(name)) => {
                    match std::str::from_utf8(name) {
                        Ok(text) => names.append(text)?,
                        Err(_) => names.append(visible(name))?,
                    };
                }
                (Builder::Plain(names), Cell::Name(name)) => {
                    match std::str::from_utf8(name) {
                        Ok(text) => names.append_value(text),
                        Err(_) => names.append_value(visible(name)),
                    };
                }
                (Builder::Count(counts), Cell::Count(count)) => counts.append_value(*count),
                (Builder::Score(scores), Cell::Score(score)) => scores.append_value(*score),
                _ => unreachable!("cells are of their column's kind"),
            }
        }
        self.rows += 1;
        if self.rows == BATCH_ROWS { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> anyhow::Result<()> {
        let array = |builder: &mut Builder| -> ArrayRef {
            match builder {
                Builder::Plain(names) => Arc::new(names.finish()),
                Builder::Name(names) => Arc::new(names.finish()),
                Builder::Count(counts) => Arc::new(counts.finish()),
                Builder::Score(scores) => Arc::new(scores.finish()),
            }
        };
        let arrays = self.builders.iter_mut().map(array).collect();
        self.rows = 0;
        Ok(self.writer.write(&RecordBatch::try_new(self.schema.clone(), arrays)?)?)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if self.rows > 0 {
            self.write_batch()?;
        }
        self.writer.finish()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[Column] =
        &[Column::name("document"), Column::count("count"), Column::score("score")];

    fn written(format: RowFormat, names: &[&[u8]]) -> Vec<u8> {
        let mut out = Vec::new();
        let mut writer = RowWriter::new(COLUMNS, (format, false), false, &mut out).unwrap();
        for (at, &name) in names.iter().enumerate() {
            let row = [Cell::name(name), Cell::Count(at as u64), Cell::Score(0.5)];
            writer.row(&row).unwrap();
        }
        writer.finish().unwrap();
        out
    }

    #[test]
    fn every_format_of_lines_has_every_row() {
        let names: [&[u8]; 2] = [b"a,\"b", b"\xff\t"];
        assert_eq!(written(RowFormat::Tsv, &names), b"a,\"b\t0\t0.5\n\xff\\t\t1\t0.5\n");
        let csv = b"document,count,score\n\"a,\"\"b\",0,0.5\n\xff\t,1,0.5\n";
        assert_eq!(written(RowFormat::Csv, &names), csv);
        let lines = String::from_utf8(written(RowFormat::Ndjson, &names)).unwrap();
        let objects: Vec<Value> =
            lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects[1]["document_hex"], "ff09");
        let list: Value = serde_json::from_slice(&written(RowFormat::Json, &names)).unwrap();
        assert_eq!(list.as_array().unwrap(), &objects);
        assert_eq!(written(RowFormat::Json, &[]), b"[]\n");
    }

    #[test]
    fn an_arrow_stream_keeps_every_batch() {
        let names: Vec<Vec<u8>> =
            (0..BATCH_ROWS + 5).map(|at| format!("n{}", at % 7).into_bytes()).collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let bytes = written(RowFormat::Arrow, &names);
        let reader = arrow_ipc::reader::StreamReader::try_new(&bytes[..], None).unwrap();
        let mut rows = 0;
        for batch in reader {
            let batch = batch.unwrap();
            let documents = batch.column(0).as_any();
            let documents: &arrow_array::DictionaryArray<Int32Type> =
                documents.downcast_ref().unwrap();
            let texts: arrow_array::TypedDictionaryArray<'_, _, arrow_array::StringArray> =
                documents.downcast_dict().unwrap();
            for text in texts {
                assert_eq!(text.unwrap().as_bytes(), names[rows]);
                rows += 1;
            }
        }
        assert_eq!(rows, names.len());
    }
}
