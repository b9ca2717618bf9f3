//! A corpus whose edits are applied when a question needs them.
//!
//! Most questions need to know where something occurs, and that takes all edits to be applied. How
//! often each word occurs in the whole corpus is known without: from the words of the file, and by
//! how much the edits change their number.

use super::facts::{SegmentChange, facts_with};
use super::final_symbols::FinalSymbols;
use crate::access::Access;
use crate::corpus::{Corpus, LoadedSegments, SegmentTally, Variant, VariantTotals};
use crate::error::OpenError;
use crate::format::DocumentTable;
use crate::format::word_counts::WordCounts;
use crate::grammar::Grammar;
use crate::lazy::Lazy;
use crate::progress::Progress;
use crate::store::overlay::word_change::Sum;
use crate::store::view::patch::Patch;
use crate::token::Dictionary;
use std::sync::{Arc, OnceLock};

/// Pending edits, and how to apply them.
pub(in crate::store) trait EditSource: Send + Sync {
    /// The document table with the edits.
    fn documents(&self) -> Result<DocumentTable, OpenError>;

    /// Applies the edits.
    fn make(&self) -> Result<Patch, OpenError>;
}

/// Edits that are applied on demand.
struct DeferredEdits {
    totals: VariantTotals,
    edits: Box<dyn EditSource>,
    documents: OnceLock<DocumentTable>,
    made: Lazy<Patch>,
}

impl DeferredEdits {
    fn patch(&self) -> Result<&Patch, OpenError> {
        self.made.try_get_of_others(|| self.edits.make())
    }
}

impl Variant for DeferredEdits {
    fn dictionary(&self) -> Result<&Dictionary, OpenError> {
        self.patch()?.dictionary()
    }

    fn documents(&self) -> Result<&DocumentTable, OpenError> {
        if let Some(documents) = self.documents.get() {
            return Ok(documents);
        }
        let documents = self.edits.documents()?;
        Ok(self.documents.get_or_init(|| documents))
    }

    fn segment_by(&self, number: usize, threads: usize) -> Result<Grammar, OpenError> {
        self.patch()?.segment_by(number, threads)
    }

    fn segment_tally_by(&self, number: usize, threads: usize) -> Result<SegmentTally, OpenError> {
        self.patch()?.segment_tally_by(number, threads)
    }

    fn has_index(&self) -> bool {
        self.totals.file().has_index()
    }

    fn verify_parts(&self, progress: &dyn Progress) -> Result<(), OpenError> {
        self.totals.file().verify_parts(progress)
    }

    fn word_counts(&self, number: usize) -> Result<Option<WordCounts>, OpenError> {
        self.patch()?.word_counts(number)
    }

    fn totals(&self) -> Option<&VariantTotals> {
        Some(&self.totals)
    }

    fn is_deferred(&self) -> bool {
        self.made.made().is_none()
    }
}

impl LoadedSegments for Access {
    fn file(&self) -> &Arc<Corpus> {
        self.corpus()
    }

    fn loaded(&self, segment: usize) -> Option<&Grammar> {
        Access::loaded(self, segment)
    }
}

/// What is known of the documents of a corpus without applying its edits.
#[derive(Default)]
pub(in crate::store) struct Outline {
    /// Number of documents.
    pub(in crate::store) documents: u64,
    /// Bytes of all documents.
    pub(in crate::store) text_bytes: u64,
    /// Removed documents of the file, in rising order.
    pub(in crate::store) removed: Vec<usize>,
    /// Edited documents of the file, each with at least the number of its edits, and the bytes of new
    /// text.
    pub(in crate::store) edited: Vec<(usize, u64, u64)>,
    /// The sizes of the documents that are not in the file.
    pub(in crate::store) added: Vec<u64>,
}

/// About how many symbols replace those around an edit.
const SYMBOLS_AN_EDIT: u64 = 16;

/// A corpus with edits that change its word counts by `words`. `None` if `words` does not fit the
/// corpus.
pub(in crate::store) fn corpus(
    access: &Arc<Access>,
    words: &Sum,
    outline: Outline,
    edits: impl EditSource + 'static,
) -> Result<Option<Corpus>, OpenError> {
    let Some(totals) = totals(access, words)? else { return Ok(None) };
    let file = access.corpus();
    let mut segments = vec![SegmentChange::default(); file.facts().segments.len()];
    for (document, edits, bytes) in outline.edited {
        if let Some(piece) = file.known_pieces(document).next() {
            // A new byte is at most one symbol, and a symbol around an edit may become several.
            let symbols = edits.saturating_mul(SYMBOLS_AN_EDIT).saturating_add(bytes);
            let all = &mut segments[piece.segment].symbols;
            *all = all.saturating_add(symbols);
        }
    }
    for document in outline.removed {
        for piece in file.known_pieces(document) {
            segments[piece.segment].removed.push(piece.document);
        }
    }
    let symbols = outline.added.iter().fold(0u64, |sum, &size| sum.saturating_add(size));
    let added = (!outline.added.is_empty()).then_some((outline.added.len(), symbols));
    let documents = (outline.documents, outline.text_bytes);
    let facts = facts_with(file.facts(), documents, &totals.dictionary, &segments, added);
    let edits = Box::new(edits);
    let variant =
        DeferredEdits { totals, edits, documents: OnceLock::new(), made: Lazy::default() };
    Ok(Some(Corpus::with_variant(file, facts, Box::new(variant))))
}

fn totals(access: &Arc<Access>, words: &Sum) -> Result<Option<VariantTotals>, OpenError> {
    let dictionary = access.corpus().dictionary()?;
    if !words.suits(dictionary) {
        return Ok(None);
    }
    let (new, counts) = words.new.words();
    let finals = FinalSymbols::new(new, &vec![None; counts.len()], dictionary);
    let known = words.known().map(|(id, by)| (finals.shift.of(id), by));
    let changes = known.chain(finals.tokens.iter().copied().zip(counts.iter().copied())).collect();
    let dictionary = dictionary.with(&finals.new)?;
    let segments: Arc<dyn LoadedSegments> = Arc::<Access>::clone(access);
    Ok(Some(VariantTotals { segments, dictionary, shift: finals.shift, changes }))
}
