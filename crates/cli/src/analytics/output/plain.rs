//! TSV and CSV.

use super::Columns;
use crate::text::tsv_field;
use zgram::analytics::{Batch, Labels};
use zgram::format::DocumentTable;

/// Names as TSV fields; none where rows name no documents.
pub(super) fn tsv_labels(columns: Columns, names: &DocumentTable) -> Labels {
    let named = names.iter().filter(|_| columns.documents);
    Labels::new(named.map(|(name, _)| tsv_field(name)))
}

/// Rows as `words<TAB>count[<TAB>document]`. Words have no tabs and no line ends.
pub(super) fn tsv(batch: &Batch<'_>, labels: &Labels) -> Vec<u8> {
    batch.delimited(b'\t', labels)
}

pub(super) fn csv_header(columns: Columns) -> String {
    let document = if columns.documents { ",document" } else { "" };
    format!("{},count{document}\n", columns.first())
}

/// Names as CSV fields: in quotes where they need them. Bytes stay as they are.
pub(super) fn csv_labels(names: &DocumentTable) -> Labels {
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
    Labels::new(names.iter().map(|(name, _)| field(name)))
}

/// Rows with commas. Words are letters and digits, so they need no quotes.
pub(super) fn csv(batch: &Batch<'_>, labels: &Labels) -> Vec<u8> {
    batch.delimited(b',', labels)
}
