//! `inverted-index --documents-only`: a row per word with the list of its documents.
//!
//! | format | a row |
//! |---|---|
//! | TSV | the word, then each document, with tabs |
//! | CSV | a word and a document: CSV has no lists |
//! | JSON | `{"word": …, "documents": […]}`; `documents_hex` where a name is not Unicode |
//! | table | the word, the number of documents, and their names |
//! | Arrow, Parquet | `word`, and `documents` as a list of dictionary values |

use super::json::text;
use super::plain::csv_field;
use crate::args::tasks::{OutputArgs, RowFormat};
use crate::columnar::{Container, Writer};
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use crate::text::{hex, tsv_field, visible};
use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, DictionaryArray, Int32Array, ListArray, RecordBatch, StringArray,
};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::io::{self, BufWriter, Write};
use std::sync::Arc;
use zgram::analytics::{DocumentLists, Query, Report, RowNames};
use zgram::error::QueryError;

/// Documents in a batch of a columnar format, unless a word has more.
const BATCH_DOCUMENTS: usize = 1 << 16;

/// Answers the query and writes its rows.
pub(in crate::analytics) fn write_lists(
    query: &Query<'_, DocumentLists>,
    args: &OutputArgs,
    reporter: &Reporter,
) -> anyhow::Result<Report> {
    let names = query.row_names()?;
    if args.row_format() == RowFormat::Table {
        return table(query, &names, args, reporter);
    }
    let (mut file, format) = args.open("rows.tsv")?;
    let is_terminal = file.is_terminal();
    if is_terminal {
        reporter.hide();
    }
    let report = write_rows(query, &names, (format, args.plain_strings), file.writer())?;
    file.commit()?;
    Ok(report)
}

/// Writes rows in a format that is not for people.
fn write_rows(
    query: &Query<'_, DocumentLists>,
    names: &RowNames<'_>,
    (format, plain): (RowFormat, bool),
    out: &mut (dyn Write + Send),
) -> anyhow::Result<Report> {
    let failed = |source: io::Error| QueryError::Output { source };
    if let RowFormat::Parquet | RowFormat::Arrow = format {
        let container = match format {
            RowFormat::Parquet => Container::Parquet,
            _ => Container::ArrowStream,
        };
        let mut batches = Batches::new(names, plain, container, out)?;
        let report = query.for_each(|word, documents| {
            batches
                .row(word, documents)
                .map_err(|error| failed(error.downcast().unwrap_or_else(io::Error::other)))
        })?;
        batches.finish()?;
        return Ok(report);
    }
    let mut out = BufWriter::with_capacity(1 << 16, out);
    let mut lines = Lines::new(format, names);
    let report =
        query.for_each(|word, documents| lines.row(word, documents, &mut out).map_err(failed))?;
    lines.finish(&mut out)?;
    out.flush()?;
    Ok(report)
}

/// A table of words, numbers of documents, and the documents.
fn table(
    query: &Query<'_, DocumentLists>,
    names: &RowNames<'_>,
    args: &OutputArgs,
    reporter: &Reporter,
) -> anyhow::Result<Report> {
    let columns = [Column::name("word"), Column::count("count"), Column::name("documents")];
    let names: Vec<&[u8]> = names.iter().collect();
    let mut report = Report::default();
    write_records(&columns, args, reporter, |sink| {
        report = query.for_each(|word, documents| {
            let listed: Vec<&[u8]> =
                documents.iter().map(|&document| names[document as usize]).collect();
            let count = Cell::Count(documents.len() as u64);
            let row = [Cell::name(word), count, Cell::name(listed.join(&b", "[..]))];
            sink(&row).map_err(|error| QueryError::Output {
                source: error.downcast().unwrap_or_else(io::Error::other),
            })
        })?;
        Ok(())
    })?;
    Ok(report)
}

/// Rows as lines.
struct Lines {
    format: RowFormat,
    /// Each document as the format writes it.
    names: Vec<Vec<u8>>,
    /// For JSON: the names that are not Unicode, in hexadecimal.
    hex: Vec<Option<String>>,
    rows: u64,
}

impl Lines {
    fn new(format: RowFormat, names: &RowNames<'_>) -> Self {
        let is_json = matches!(format, RowFormat::Json | RowFormat::Ndjson);
        let field = |name: &[u8]| match format {
            RowFormat::Csv => csv_field(name),
            _ if is_json => text(name),
            _ => tsv_field(name),
        };
        let bad = |name: &[u8]| std::str::from_utf8(name).is_err().then(|| hex(name));
        let hex = names.iter().filter(|_| is_json).map(bad).collect();
        Self { format, names: names.iter().map(field).collect(), hex, rows: 0 }
    }

    fn row(&mut self, word: &[u8], documents: &[u32], out: &mut impl Write) -> io::Result<()> {
        let names = documents.iter().map(|&document| &self.names[document as usize]);
        self.rows += 1;
        match self.format {
            RowFormat::Csv => {
                if self.rows == 1 {
                    out.write_all(b"word,document\n")?;
                }
                for name in names {
                    out.write_all(word)?;
                    out.write_all(b",")?;
                    out.write_all(name)?;
                    out.write_all(b"\n")?;
                }
                Ok(())
            }
            RowFormat::Json | RowFormat::Ndjson => {
                let is_array = self.format == RowFormat::Json;
                let before: &[u8] = match (is_array, self.rows) {
                    (true, 1) => b"[\n  ",
                    (true, _) => b",\n  ",
                    (false, _) => b"",
                };
                out.write_all(before)?;
                // Words are letters, digits and marks: nothing that JSON escapes.
                out.write_all(b"{\"word\":\"")?;
                out.write_all(word)?;
                out.write_all(b"\",\"documents\":[")?;
                for (at, name) in names.enumerate() {
                    out.write_all(if at > 0 { b"," } else { b"" })?;
                    out.write_all(name)?;
                }
                out.write_all(b"]")?;
                if documents.iter().any(|&document| self.hex[document as usize].is_some()) {
                    let hex = |&document: &u32| self.hex[document as usize].clone();
                    let all: Vec<Option<String>> = documents.iter().map(hex).collect();
                    write!(out, ",\"documents_hex\":{}", serde_json::json!(all))?;
                }
                out.write_all(if is_array { b"}" } else { b"}\n" })
            }
            _ => {
                out.write_all(word)?;
                for name in names {
                    out.write_all(b"\t")?;
                    out.write_all(name)?;
                }
                out.write_all(b"\n")
            }
        }
    }

    fn finish(self, out: &mut impl Write) -> io::Result<()> {
        match (self.format, self.rows) {
            (RowFormat::Json, 0) => out.write_all(b"[]\n"),
            (RowFormat::Json, _) => out.write_all(b"\n]\n"),
            (RowFormat::Csv, 0) => out.write_all(b"word,document\n"),
            _ => Ok(()),
        }
    }
}

/// Rows of a columnar format, gathered into batches.
struct Batches<W: Write + Send> {
    schema: SchemaRef,
    names: Arc<StringArray>,
    plain: bool,
    words: Vec<String>,
    documents: Vec<i32>,
    /// Documents of each row.
    lens: Vec<usize>,
    writer: Writer<W>,
}

impl<W: Write + Send> Batches<W> {
    fn new(
        names: &RowNames<'_>,
        plain: bool,
        container: Container,
        out: W,
    ) -> anyhow::Result<Self> {
        let name = match plain {
            true => DataType::Utf8,
            false => DataType::Dictionary(DataType::Int32.into(), DataType::Utf8.into()),
        };
        let item = Arc::new(Field::new_list_field(name, false));
        let schema = Arc::new(Schema::new(vec![
            Field::new("word", DataType::Utf8, false),
            Field::new("documents", DataType::List(item), false),
        ]));
        let writer = container.writer(schema.clone(), out)?;
        let names = Arc::new(StringArray::from_iter_values(names.iter().map(visible)));
        let (words, documents, lens) = (Vec::new(), Vec::new(), Vec::new());
        Ok(Self { schema, names, plain, words, documents, lens, writer })
    }

    fn row(&mut self, word: &[u8], documents: &[u32]) -> anyhow::Result<()> {
        self.words.push(String::from_utf8_lossy(word).into_owned());
        self.documents.extend(documents.iter().map(|&document| document as i32));
        self.lens.push(documents.len());
        if self.documents.len() >= BATCH_DOCUMENTS { self.write_batch() } else { Ok(()) }
    }

    fn write_batch(&mut self) -> anyhow::Result<()> {
        let documents = std::mem::take(&mut self.documents);
        let values: ArrayRef = match self.plain {
            true => {
                let names = documents.iter().map(|&document| self.names.value(document as usize));
                Arc::new(StringArray::from_iter_values(names))
            }
            false => {
                let keys = Int32Array::from(documents);
                Arc::new(DictionaryArray::<Int32Type>::try_new(keys, self.names.clone())?)
            }
        };
        let item = Arc::new(Field::new_list_field(values.data_type().clone(), false));
        let offsets = OffsetBuffer::from_lengths(self.lens.drain(..));
        let words = StringArray::from_iter_values(self.words.drain(..));
        let lists = ListArray::try_new(item, offsets, values, None)?;
        let batch =
            RecordBatch::try_new(self.schema.clone(), vec![Arc::new(words), Arc::new(lists)])?;
        Ok(self.writer.write(&batch)?)
    }

    fn finish(mut self) -> anyhow::Result<()> {
        if !self.words.is_empty() {
            self.write_batch()?;
        }
        self.writer.finish()?;
        Ok(())
    }
}
