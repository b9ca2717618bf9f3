//! TSV and CSV.

use super::Columns;
use zgram::analytics::Batch;
use zgram::format::DocumentTable;

/// Rows as `words<TAB>count[<TAB>document]`. Words have no tabs and no line ends.
pub(super) fn tsv(batch: &Batch<'_>, names: &[Vec<u8>]) -> Vec<u8> {
    batch.delimited(b'\t', names)
}

pub(super) fn csv_header(columns: Columns) -> String {
    let document = if columns.documents { ",document" } else { "" };
    format!("{},count{document}\n", columns.first())
}

/// Names as CSV fields: in quotes where they need them. Bytes stay as they are.
pub(super) fn csv_names(names: &DocumentTable) -> Vec<Vec<u8>> {
    let field = |name: &[u8]| {
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
    };
    names.iter().map(|(name, _)| field(name)).collect()
}

/// Rows with commas. Words are letters and digits, so they need no quotes.
pub(super) fn csv(batch: &Batch<'_>, names: &[Vec<u8>]) -> Vec<u8> {
    batch.delimited(b',', names)
}
