//! JSON: one array, or one object a line.
//!
//! A name that is not Unicode is written twice: with replacement characters, and as bytes in hexadecimal
//! under `document_hex`.

use super::Columns;
use crate::text::hex;
use serde_json::{Map, Value};
use zgram::analytics::{RowBatch, RowNames};

/// A name as a JSON string.
pub(super) fn text(name: &[u8]) -> Vec<u8> {
    Value::from(String::from_utf8_lossy(name)).to_string().into_bytes()
}

/// The end of each document's objects, from the comma on.
pub(super) fn names(names: &RowNames<'_>) -> Vec<String> {
    let fields = |name: &[u8]| {
        let mut object = Map::new();
        object.insert("document".to_owned(), Value::from(String::from_utf8_lossy(name)));
        if std::str::from_utf8(name).is_err() {
            object.insert("document_hex".to_owned(), Value::from(hex(name)));
        }
        let object = Value::Object(object).to_string();
        object[1..object.len() - 1].to_owned()
    };
    names.iter().map(fields).collect()
}

pub(super) fn lines(batch: &RowBatch<'_>, columns: Columns, names: &[String]) -> Vec<u8> {
    objects(batch, columns, names, b"", b"\n")
}

pub(super) fn elements(batch: &RowBatch<'_>, columns: Columns, names: &[String]) -> Vec<u8> {
    let mut out = objects(batch, columns, names, b"  ", b",\n");
    out.truncate(out.len() - 2);
    out
}

fn objects(
    batch: &RowBatch<'_>,
    columns: Columns,
    names: &[String],
    before: &[u8],
    after: &[u8],
) -> Vec<u8> {
    let mut out = Vec::new();
    let first = columns.first();
    let mut number = itoa::Buffer::new();
    for row in batch.rows() {
        out.extend_from_slice(before);
        out.extend_from_slice(b"{\"");
        out.extend_from_slice(first.as_bytes());
        out.extend_from_slice(b"\":\"");
        for (at, word) in row.words().enumerate() {
            if at > 0 {
                out.push(b' ');
            }
            // Letters, digits and marks: nothing that JSON escapes.
            out.extend_from_slice(word);
        }
        out.extend_from_slice(b"\",\"count\":");
        out.extend_from_slice(number.format(row.count).as_bytes());
        if let Some(document) = row.document {
            out.push(b',');
            out.extend_from_slice(names[document as usize].as_bytes());
        }
        out.push(b'}');
        out.extend_from_slice(after);
    }
    out
}
