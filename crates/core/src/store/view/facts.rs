//! The facts of a corpus with edits.

use crate::format::{Facts, SegmentFacts, Sizes};
use crate::token::{Dictionary, TokenClass};

/// The changes in a segment of a corpus with edits.
#[derive(Clone, Debug, Default)]
pub(in crate::store) struct SegmentChange {
    /// Removed documents, in rising order.
    pub(in crate::store) removed: Vec<usize>,
    /// An upper bound of the new symbols in its root.
    pub(in crate::store) symbols: u64,
}

/// The facts of a corpus with edits. They follow from the facts of the file, the current number of
/// documents and bytes, the dictionary, the changes in each segment, and one more segment: its number of
/// documents, and an upper bound of its symbols. Sizes in bytes are exact, sizes in words upper bounds.
pub(in crate::store) fn facts_with(
    file: &Facts,
    (documents, text_bytes): (u64, u64),
    dictionary: &Dictionary,
    segments: &[SegmentChange],
    added: Option<(usize, u64)>,
) -> Facts {
    let mut facts = file.clone();
    facts.documents = documents;
    facts.vocabulary = dictionary.len() as u64;
    facts.vocabulary_words =
        facts.vocabulary - u64::from(dictionary.ids(TokenClass::Separator).end);
    let mut gone = 0;
    for (segment, difference) in facts.segments.iter_mut().zip(segments) {
        let removed = difference.removed.len() as u64;
        let continues = segment.documents > 0 && segment.first_piece > 0;
        let is_first_removed = difference.removed.first() == Some(&0);
        // A removed document counts in the segment where it begins.
        let goes_on = u64::from(continues && is_first_removed);
        if goes_on > 0 {
            segment.first_piece = 0;
        }
        segment.first_document = segment.first_document + goes_on - gone;
        segment.documents -= removed;
        gone += removed - goes_on;
        add_symbols(&mut segment.sizes, difference.symbols);
    }
    if let Some((count, symbols)) = added {
        let mut sizes = Sizes { rules: 1, depth: 1, ..Sizes::default() };
        add_symbols(&mut sizes, symbols);
        let documents = count as u64;
        let first_document = facts.documents - documents;
        facts.segments.push(SegmentFacts { first_document, documents, sizes, first_piece: 0 });
    }
    facts.sizes = Sizes::default();
    for segment in &facts.segments {
        facts.sizes.add(&segment.sizes);
    }
    facts.sizes.text_bytes = text_bytes;
    facts
}

/// Adds symbols to a root; each is at most one word.
fn add_symbols(sizes: &mut Sizes, count: u64) {
    for size in
        [&mut sizes.text_tokens, &mut sizes.text_words, &mut sizes.symbols, &mut sizes.root_symbols]
    {
        *size = size.saturating_add(count);
    }
}
