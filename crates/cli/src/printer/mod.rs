//! Results on standard output, in the format asked for.

#[allow(dead_code, reason = "commands with counts of their own follow")]
mod records;

#[allow(unused_imports, reason = "commands with columns of their own follow")]
pub(crate) use records::{Column, Kind, Sink, write_records};

use crate::args::Format;
use crate::text::{hex, tsv_field, visible};
use crate::{human, screen};
use anstyle::Style;
use serde::ser::{SerializeSeq, Serializer};
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::io::{self, BufWriter, IsTerminal, Write};

const HEADING: Style = Style::new().bold();

/// One value of a result.
#[derive(Clone, Debug)]
pub(crate) enum Cell<'a> {
    Bytes(u64),
    Count(u64),
    /// A measure, such as the relevance of a document.
    Score(f64),
    /// A part and its whole.
    Share(u64, u64),
    /// Something large and the small thing it became.
    Ratio(u64, u64),
    Seconds(std::time::Duration),
    Text(String),
    /// A document's name, or any other bytes from a corpus.
    Name(Cow<'a, [u8]>),
}

impl<'a> Cell<'a> {
    fn into_owned(self) -> Cell<'static> {
        match self {
            Self::Bytes(bytes) => Cell::Bytes(bytes),
            Self::Count(count) => Cell::Count(count),
            Self::Score(score) => Cell::Score(score),
            Self::Share(part, whole) => Cell::Share(part, whole),
            Self::Ratio(large, small) => Cell::Ratio(large, small),
            Self::Seconds(duration) => Cell::Seconds(duration),
            Self::Text(text) => Cell::Text(text),
            Self::Name(name) => Cell::Name(Cow::Owned(name.into_owned())),
        }
    }

    /// A name, borrowed or owned.
    pub(crate) fn name(name: impl Into<Cow<'a, [u8]>>) -> Self {
        Self::Name(name.into())
    }
}

/// A value with the key it has for programs and the label it has for people.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) key: &'static str,
    pub(crate) label: &'static str,
    pub(crate) cell: Cell<'static>,
}

/// Shorthand for a [`Field`].
pub(crate) fn field(key: &'static str, label: &'static str, cell: Cell<'static>) -> Field {
    Field { key, label, cell }
}

/// Rows of the same columns.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) key: &'static str,
    pub(crate) columns: Vec<&'static str>,
    pub(crate) rows: Vec<Vec<Cell<'static>>>,
}

impl Cell<'_> {
    fn is_number(&self) -> bool {
        !matches!(self, Self::Text(_) | Self::Name(_))
    }

    /// For a table; `human` rounds bytes.
    fn shown(&self, human: bool) -> String {
        match self {
            Self::Bytes(bytes) if human => human::bytes(*bytes),
            Self::Bytes(bytes) => bytes.to_string(),
            Self::Count(count) if human => human::count(*count),
            Self::Count(count) => count.to_string(),
            Self::Score(score) => human::score(*score),
            Self::Share(part, whole) => human::percent(*part, *whole),
            Self::Ratio(large, small) => human::ratio(*large, *small),
            Self::Seconds(duration) => human::seconds(*duration),
            Self::Text(text) => text.clone(),
            Self::Name(name) => visible(name),
        }
    }

    fn to_json(&self) -> Value {
        let quotient = |a: u64, b: u64| {
            if b == 0 { Value::Null } else { Value::from(a as f64 / b as f64) }
        };
        match self {
            Self::Bytes(number) | Self::Count(number) => Value::from(*number),
            Self::Score(score) => Value::from(*score),
            Self::Share(part, whole) => quotient(*part, *whole),
            Self::Ratio(large, small) => quotient(*large, *small),
            Self::Seconds(duration) => Value::from(duration.as_secs_f64()),
            Self::Text(text) => Value::from(text.as_str()),
            Self::Name(name) => Value::from(String::from_utf8_lossy(name)),
        }
    }

    fn to_tsv(&self, terminal: bool) -> Vec<u8> {
        match self {
            Self::Name(name) if terminal => visible(name).into_bytes(),
            Self::Name(name) => tsv_field(name),
            Self::Text(text) => tsv_field(text.as_bytes()),
            number => match number.to_json() {
                Value::Null => Vec::new(),
                value => value.to_string().into_bytes(),
            },
        }
    }

    /// Puts it into an object. A name that is not Unicode gets a second key with its bytes.
    fn insert_into(&self, object: &mut Map<String, Value>, key: &str) {
        object.insert(key.to_owned(), self.to_json());
        if let Self::Name(name) = self
            && std::str::from_utf8(name).is_err()
        {
            object.insert(format!("{key}_hex"), Value::from(hex(name)));
        }
    }
}

impl Table {
    fn objects(&self) -> impl Iterator<Item = Value> {
        self.rows.iter().map(|row| object(self.columns.iter().copied(), row))
    }

    /// Prints it; on a terminal as a table and elsewhere as TSV unless the format says otherwise.
    pub(crate) fn print(self, format: Format) -> anyhow::Result<()> {
        print_rows(&self.columns.clone(), format, |print| self.rows.into_iter().try_for_each(print))
    }

    /// Narrows columns of names until a row fits the screen, the widest first. Numbers stay whole.
    fn fit(&self, mut widths: Vec<usize>, screen: Option<usize>) -> Vec<usize> {
        const LEAST: usize = 8;
        let Some(screen) = screen else { return widths };
        let is_name = |at: usize| self.rows.first().is_some_and(|row| !row[at].is_number());
        loop {
            let taken = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
            let names = (0..widths.len()).filter(|&at| is_name(at) && widths[at] > LEAST);
            match names.max_by_key(|&at| widths[at]) {
                Some(at) if taken > screen => {
                    widths[at] =
                        widths[at].saturating_sub(taken - screen).max(widths[at] / 2).max(LEAST);
                }
                _ => return widths,
            }
        }
    }

    fn write_aligned(&self, human: bool, out: &mut dyn Write) -> io::Result<()> {
        let rows: Vec<Vec<String>> = self
            .rows
            .iter()
            .map(|row| row.iter().map(|cell| cell.shown(human)).collect())
            .collect();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|at| {
                let cells = rows.iter().map(|row| screen::width(&row[at]));
                cells.chain([self.columns[at].len()]).max().unwrap_or(0)
            })
            .collect();
        let widths = self.fit(widths, screen::stdout_width());
        let is_number = |at: usize| self.rows.first().is_some_and(|row| row[at].is_number());
        let mut line = |cells: &mut dyn Iterator<Item = &str>, style: Style| -> io::Result<()> {
            let mut text = String::new();
            for (at, cell) in cells.enumerate() {
                let cell = &screen::cut_middle(cell, widths[at]);
                let padding = screen::padding(cell, widths[at]);
                let gap = if at == 0 { "" } else { "  " };
                let parts =
                    if is_number(at) { [gap, &padding, cell] } else { [gap, cell, &padding] };
                parts.into_iter().for_each(|part| text.push_str(part));
            }
            writeln!(out, "{style}{}{style:#}", text.trim_end())
        };
        let headings: Vec<String> =
            self.columns.iter().map(|column| column.replace('_', " ")).collect();
        line(&mut headings.iter().map(String::as_str), HEADING)?;
        rows.iter().try_for_each(|row| line(&mut row.iter().map(String::as_str), Style::new()))
    }
}

/// Prints rows as they come, as [`Table::print`] does. `rows` passes each row on to what it is called
/// with, and should stop when that fails. If it fails before the first row, nothing is printed. Only a
/// table for people has to wait for all rows.
pub(crate) fn print_rows(
    columns: &[&'static str],
    format: Format,
    rows: impl FnOnce(&mut dyn FnMut(Vec<Cell<'static>>) -> anyhow::Result<()>) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let terminal = io::stdout().is_terminal();
    if format == Format::Table || format == Format::Auto && terminal {
        let mut table = Table { key: "", columns: columns.to_vec(), rows: Vec::new() };
        rows(&mut |row| {
            table.rows.push(row);
            Ok(())
        })?;
        // Only what is drawn for people passes through the filter for colours.
        let mut out = BufWriter::new(anstream::stdout().lock());
        table.write_aligned(terminal, &mut out)?;
        return Ok(out.flush()?);
    }
    let mut out = BufWriter::new(io::stdout().lock());
    match format {
        Format::Json => {
            // The writer's own error, so that a closed pipe is recognised and not reported.
            let failed = io::Error::from;
            let mut serializer = serde_json::Serializer::pretty(&mut out);
            let mut begin = Some(&mut serializer);
            let mut list = None;
            rows(&mut |row| {
                if let Some(serializer) = begin.take() {
                    list = Some(serializer.serialize_seq(None).map_err(failed)?);
                }
                let list = list.as_mut().expect("it was begun");
                Ok(list
                    .serialize_element(&object(columns.iter().copied(), &row))
                    .map_err(failed)?)
            })?;
            if let Some(serializer) = begin {
                list = Some(serializer.serialize_seq(None).map_err(failed)?);
            }
            list.expect("it was begun").end().map_err(failed)?;
            writeln!(out)?;
        }
        Format::Ndjson => {
            rows(&mut |row| Ok(writeln!(out, "{}", object(columns.iter().copied(), &row))?))?
        }
        _ => rows(&mut |row| {
            let fields: Vec<Vec<u8>> = row.iter().map(|cell| cell.to_tsv(terminal)).collect();
            out.write_all(&fields.join(&b'\t'))?;
            Ok(out.write_all(b"\n")?)
        })?,
    }
    Ok(out.flush()?)
}

/// A row as programs read it.
fn object<'k>(keys: impl Iterator<Item = &'k str>, row: &[Cell<'_>]) -> Value {
    let mut object = Map::new();
    for (key, cell) in keys.zip(row) {
        cell.insert_into(&mut object, key);
    }
    Value::Object(object)
}

/// Prints fields, a line each, and then tables; as JSON one object with all of them, as TSV only
/// the fields.
pub(crate) fn print_record(
    fields: &[Field],
    tables: &[Table],
    with_tables: bool,
    format: Format,
) -> io::Result<()> {
    let terminal = io::stdout().is_terminal();
    match format {
        Format::Json | Format::Ndjson => {
            let mut object = Map::new();
            for Field { key, cell, .. } in fields {
                cell.insert_into(&mut object, key);
            }
            for table in tables {
                object.insert(table.key.to_owned(), table.objects().collect());
            }
            let mut out = io::stdout().lock();
            if format == Format::Json {
                serde_json::to_writer_pretty(&mut out, &object)?;
            } else {
                serde_json::to_writer(&mut out, &object)?;
            }
            writeln!(out)
        }
        Format::Tsv => {
            let mut out = BufWriter::new(io::stdout().lock());
            for Field { key, cell, .. } in fields {
                out.write_all(&[key.as_bytes(), b"\t", &cell.to_tsv(terminal), b"\n"].concat())?;
            }
            out.flush()
        }
        Format::Auto | Format::Table => {
            let mut out = BufWriter::new(anstream::stdout().lock());
            let width = fields.iter().map(|field| field.label.len()).max().unwrap_or(0);
            for Field { label, cell, .. } in fields {
                writeln!(out, "{HEADING}{label:<width$}{HEADING:#}  {}", cell.shown(true))?;
            }
            for table in tables.iter().filter(|_| with_tables) {
                writeln!(out)?;
                table.write_aligned(terminal, &mut out)?;
            }
            out.flush()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_give_way_to_the_screen_and_numbers_do_not() {
        let row =
            vec![Cell::Count(1_234_567), Cell::name(b"x".repeat(90)), Cell::name(b"y".repeat(30))];
        let table = Table { key: "", columns: vec!["size", "name", "other"], rows: vec![row] };
        assert_eq!(table.fit(vec![9, 90, 30], None), [9, 90, 30]);
        assert_eq!(table.fit(vec![9, 90, 30], Some(200)), [9, 90, 30]);
        let fitted = table.fit(vec![9, 90, 30], Some(80));
        assert_eq!(fitted[0], 9);
        assert!(fitted.iter().sum::<usize>() + 4 <= 80, "{fitted:?}");
        assert_eq!(table.fit(vec![9, 90, 30], Some(20)), [9, 8, 8]);
    }
}
