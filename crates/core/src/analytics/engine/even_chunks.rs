//! Divides documents into chunks of about the same size.

use std::ops::Range;

/// Divides documents into at most `most` chunks of about the same size.
pub(super) fn even_chunks(
    documents: &[usize],
    size: impl Fn(usize) -> usize,
    most: usize,
) -> Vec<Range<usize>> {
    let total: usize = documents.iter().map(|&document| size(document) + 1).sum();
    let target = total.div_ceil(most.max(1)).max(1);
    let mut chunks = Vec::new();
    let (mut start, mut filled) = (0, 0);
    for (at, &document) in documents.iter().enumerate() {
        filled += size(document) + 1;
        if filled >= target {
            chunks.push(start..at + 1);
            (start, filled) = (at + 1, 0);
        }
    }
    if start < documents.len() {
        chunks.push(start..documents.len());
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunks_hold_every_document_once(
            sizes in proptest::collection::vec(0usize..50, 0..40),
            most in 1usize..10,
        ) {
            let documents: Vec<usize> = (0..sizes.len()).collect();
            let chunks = even_chunks(&documents, |document| sizes[document], most);
            prop_assert!(chunks.len() <= most);
            prop_assert!(chunks.iter().all(|chunk| !chunk.is_empty()));
            prop_assert_eq!(chunks.into_iter().flatten().collect::<Vec<_>>(), documents);
        }
    }
}
