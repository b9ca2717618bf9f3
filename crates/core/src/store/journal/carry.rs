//! Carries edits that were made during a compaction over to the new corpus.
//!
//! Compaction renumbers the documents that are left, in order. The edits that it merged show which
//! documents these are.

use crate::store::journal::Edit;

/// The edits with the document numbers of the corpus that has merged the edits before them.
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
    // Documents that were added later have the next numbers in both corpora.
    for document in edits.iter_mut().filter_map(Edit::document_mut) {
        match gone.binary_search(document) {
            Ok(_) => return Err(format!("it edits document {document}, which it has removed")),
            Err(before) => *document -= before,
        }
    }
    Ok(edits)
}
