//! Rows as lines: CSV, TSV with the quotes of CSV, JSON.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float64Type, Int64Type};
use arrow_array::{Array, Float64Array, Int64Array, ListArray, RecordBatch, StringArray};
use arrow_schema::{DataType, SchemaRef};
use std::io::{self, Write};

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// Fields with this byte between them, after a line of the columns' names.
    Delimited(u8),
    /// A JSON object.
    Object,
    /// An element of one JSON array.
    Element,
}

/// Writes rows as lines.
pub(super) struct Lines<W> {
    line: Line,
    /// For JSON: what comes before each value.
    keys: Vec<String>,
    rows: u64,
    out: W,
}

/// A column of a batch.
enum Cells<'b> {
    Text(&'b StringArray),
    Count(&'b Int64Array),
    Score(&'b Float64Array),
    Lists(&'b ListArray, &'b StringArray),
}

impl<W: Write> Lines<W> {
    pub(super) fn new(line: Line, schema: &SchemaRef, mut out: W) -> io::Result<Self> {
        let names = schema.fields().iter().map(|field| field.name().as_str());
        let mut keys = Vec::new();
        match line {
            Line::Delimited(delimiter) => {
                for (at, name) in names.enumerate() {
                    if at > 0 {
                        out.write_all(&[delimiter])?;
                    }
                    field(name, delimiter, &mut out)?;
                }
                out.write_all(b"\n")?;
            }
            Line::Object | Line::Element => {
                for (at, name) in names.enumerate() {
                    let before = if at == 0 { "{" } else { "," };
                    keys.push(format!("{before}{}:", serde_json::to_string(name)?));
                }
            }
        }
        Ok(Self { line, keys, rows: 0, out })
    }

    pub(super) fn batch(&mut self, batch: &RecordBatch) -> io::Result<()> {
        let cells: Vec<Cells<'_>> = batch.columns().iter().map(Cells::of).collect();
        for row in 0..batch.num_rows() {
            match self.line {
                Line::Delimited(delimiter) => {
                    for (at, cells) in cells.iter().enumerate() {
                        if at > 0 {
                            self.out.write_all(&[delimiter])?;
                        }
                        cells.field(row, delimiter, &mut self.out)?;
                    }
                    self.out.write_all(b"\n")?;
                }
                Line::Object | Line::Element => {
                    if self.line == Line::Element {
                        let before: &[u8] = if self.rows == 0 { b"[\n  " } else { b",\n  " };
                        self.out.write_all(before)?;
                    }
                    for (key, cells) in self.keys.iter().zip(&cells) {
                        self.out.write_all(key.as_bytes())?;
                        cells.json(row, &mut self.out)?;
                    }
                    let end: &[u8] = if self.line == Line::Element { b"}" } else { b"}\n" };
                    self.out.write_all(end)?;
                }
            }
            self.rows += 1;
        }
        Ok(())
    }

    pub(super) fn finish(mut self) -> io::Result<W> {
        if self.line == Line::Element {
            self.out.write_all(if self.rows == 0 { b"[]\n" } else { b"\n]\n" })?;
        }
        Ok(self.out)
    }
}

impl<'b> Cells<'b> {
    fn of(column: &'b arrow_array::ArrayRef) -> Self {
        match column.data_type() {
            DataType::Int64 => Self::Count(column.as_primitive::<Int64Type>()),
            DataType::Float64 => Self::Score(column.as_primitive::<Float64Type>()),
            DataType::List(_) => {
                let lists = column.as_list::<i32>();
                Self::Lists(lists, lists.values().as_string())
            }
            _ => Self::Text(column.as_string()),
        }
    }

    /// A field between delimiters. Numbers that are not there, or are none, are empty.
    fn field(&self, row: usize, delimiter: u8, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text(texts) => field(texts.value(row), delimiter, out),
            Self::Count(counts) if counts.is_null(row) => Ok(()),
            Self::Count(counts) => write!(out, "{}", counts.value(row)),
            Self::Score(scores) if !is_number(scores, row) => Ok(()),
            Self::Score(scores) => write!(out, "{:?}", scores.value(row)),
            Self::Lists(..) => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "it has lists: write JSON, Parquet or Arrow",
            )),
        }
    }

    fn json(&self, row: usize, out: &mut impl Write) -> io::Result<()> {
        match self {
            Self::Text(texts) => Ok(serde_json::to_writer(out, texts.value(row))?),
            Self::Count(counts) if counts.is_null(row) => out.write_all(b"null"),
            Self::Count(counts) => write!(out, "{}", counts.value(row)),
            Self::Score(scores) if !is_number(scores, row) => out.write_all(b"null"),
            Self::Score(scores) => write!(out, "{:?}", scores.value(row)),
            Self::Lists(lists, texts) => {
                let ends = lists.value_offsets();
                out.write_all(b"[")?;
                for at in ends[row]..ends[row + 1] {
                    if at > ends[row] {
                        out.write_all(b",")?;
                    }
                    serde_json::to_writer(&mut *out, texts.value(at as usize))?;
                }
                out.write_all(b"]")
            }
        }
    }
}

fn is_number(scores: &Float64Array, row: usize) -> bool {
    !scores.is_null(row) && scores.value(row).is_finite()
}

/// A field, in quotes where it needs them.
fn field(text: &str, delimiter: u8, out: &mut impl Write) -> io::Result<()> {
    let special = |byte: u8| byte == delimiter || matches!(byte, b'"' | b'\n' | b'\r');
    if !text.bytes().any(special) {
        return out.write_all(text.as_bytes());
    }
    write!(out, "\"{}\"", text.replace('"', "\"\""))
}
