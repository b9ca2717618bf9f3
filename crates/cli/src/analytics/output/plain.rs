//! TSV and CSV.

use super::Columns;
use crate::text::tsv_field;
use zgram::analytics::RowNames;
use zgram::plumbing::Labels;

/// Rows as `words<TAB>count[<TAB>document]`, names as TSV fields; none where rows name no documents.
/// Words have no tabs and no line ends.
pub(super) fn tsv_labels(columns: Columns, names: &RowNames<'_>) -> Labels {
    let named = names.iter().filter(|_| columns.documents);
    Labels::new(b'\t', named.map(tsv_field))
}

pub(super) fn csv_header(columns: Columns) -> String {
    let document = if columns.documents { ",document" } else { "" };
    format!("{},count{document}\n", columns.first())
}

/// Rows with commas, names in quotes where they need them. Bytes stay as they are. Words are letters and
/// digits, so they need no quotes.
pub(super) fn csv_labels(names: &RowNames<'_>) -> Labels {
    Labels::new(b',', names.iter().map(csv_field))
}

/// A field of a CSV line, in quotes where it needs them.
pub(super) fn csv_field(name: &[u8]) -> Vec<u8> {
    if !name.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        return name.to_vec();
    }
    let mut quoted = vec![b'"'];
    for &byte in name {
        if byte == b'"' {
            quoted.push(b'"');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}
