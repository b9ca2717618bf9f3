//! A corpus whose edits are made when a question needs them (see `corpus/deferred.rs`).

use super::snapshot::{Difference, Finals, facts_with};
use super::words::Sum;
use crate::access::Access;
use crate::corpus::{Corpus, Deferred, Totals, Unmade};
use crate::error::Error;
use std::sync::Arc;

/// What is known of the documents of a corpus with edits without making them.
#[derive(Default)]
pub(super) struct Outline {
    /// How many there are.
    pub(super) documents: u64,
    /// Bytes of all of them.
    pub(super) text_bytes: u64,
    /// Those of the file that are gone, rising.
    pub(super) removed: Vec<usize>,
    /// Those of the file that have changed, with the number of edits or more, and the bytes of new
    /// text.
    pub(super) edited: Vec<(usize, u64, u64)>,
    /// The sizes of those that are not in the file.
    pub(super) added: Vec<u64>,
}

/// How many symbols an edit makes of those around it, more or less.
const SYMBOLS_AN_EDIT: u64 = 16;

/// A corpus with edits that change the word counts by `words`. `None` if those cannot be a change of
/// its word counts.
pub(super) fn corpus(
    access: &Arc<Access>,
    words: &Sum,
    outline: Outline,
    edits: impl Unmade + 'static,
) -> Result<Option<Corpus>, Error> {
    let Some(totals) = totals(access, words)? else { return Ok(None) };
    let file = access.corpus();
    let mut segments = vec![Difference::default(); file.facts().segments.len()];
    for (document, edits, bytes) in outline.edited {
        if let Some(piece) = file.pieces(document).next() {
            // New bytes are no more symbols than that, and what was one may be several now.
            let symbols = edits.saturating_mul(SYMBOLS_AN_EDIT).saturating_add(bytes);
            let all = &mut segments[piece.segment].symbols;
            *all = all.saturating_add(symbols);
        }
    }
    for document in outline.removed {
        for piece in file.pieces(document) {
            segments[piece.segment].removed.push(piece.document);
        }
    }
    let symbols = outline.added.iter().fold(0u64, |sum, &size| sum.saturating_add(size));
    let added = (!outline.added.is_empty()).then_some((outline.added.len(), symbols));
    let documents = (outline.documents, outline.text_bytes);
    let facts = facts_with(file.facts(), documents, &totals.dictionary, &segments, added);
    Ok(Some(Corpus::deferred(facts, Deferred::new(totals, Box::new(edits)))))
}

fn totals(access: &Arc<Access>, words: &Sum) -> Result<Option<Totals>, Error> {
    let dictionary = access.corpus().dictionary()?;
    if !words.suits(dictionary) {
        return Ok(None);
    }
    let (new, counts) = words.new.words();
    let finals = Finals::new(new, &vec![None; counts.len()], dictionary);
    let known = words.known().map(|(id, by)| (finals.shift.of(id), by));
    let changes = known.chain(finals.tokens.iter().copied().zip(counts.iter().copied())).collect();
    let dictionary = dictionary.with(&finals.new)?;
    Ok(Some(Totals { access: Arc::clone(access), dictionary, shift: finals.shift, changes }))
}
