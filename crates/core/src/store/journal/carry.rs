//! Edits that were made while the corpus was compacted, for the new one.
//!
//! Compaction numbers the documents anew: those that are left, in their order. Which these are is
//! told by the edits that went into it.

use crate::store::journal::Edit;

/// Edits with the numbers that documents have in the corpus into which the edits before them were
/// `merged`.
pub(in crate::store) fn renumber<B>(
    merged: &[Edit<B>],
    mut edits: Vec<Edit<B>>,
) -> Result<Vec<Edit<B>>, String> {
    let mut gone: Vec<usize> = merged
        .iter()
        .filter_map(|edit| match edit {
            Edit::Remove { document } => Some(*document),
            _ => None,
        })
        .collect();
    gone.sort_unstable();
    gone.dedup();
    // Documents that were added later have the next numbers, there as here.
    for document in edits.iter_mut().filter_map(Edit::document_mut) {
        match gone.binary_search(document) {
            Ok(_) => return Err(format!("it edits document {document}, which it has removed")),
            Err(before) => *document -= before,
        }
    }
    Ok(edits)
}
