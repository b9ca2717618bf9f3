//! A corpus as it is now, for a question to the whole of it.
//!
//! Whoever asks one question and goes, as a command does, needs no store. If the file of word counts
//! beside the journal tells what the edits have changed of them, the edits are not even made, until a
//! question needs more than those counts.

use super::check::Check;
use super::edit::Edit;
use super::journal::{self, Replay};
use super::load::{self, notices_of, of_journal, replay_into};
use super::snapshot::{Builder, Difference, Finals, facts_with};
use super::words::WordChange;
use super::words::file::{self, Sum};
use super::{State, Store, real_path};
use crate::corpus::{Corpus, Deferred, Patch, Totals};
use crate::error::Error;
use crate::format::{DocumentTable, Facts};
use crate::token::Dictionary;
use std::path::Path;
use std::sync::Arc;

/// A corpus as it was when it was opened, edits included.
pub struct Current {
    /// The corpus.
    pub corpus: Corpus,
    /// What the user should know about how it was opened.
    pub notices: Vec<String>,
}

impl Store {
    /// Opens a corpus with the edits in its journal, only to ask questions to the whole of it. The
    /// answers are those of [`snapshot`](Self::snapshot), but edits are made only if a question
    /// needs it: word counts of all documents do not.
    ///
    /// # Errors
    /// As [`open`](Self::open).
    pub fn current(path: impl AsRef<Path>) -> Result<Current, Error> {
        let shown = path.as_ref();
        let path = real_path(shown)?;
        let (corpus, replay) = load::read(shown, &path, || journal::read(&path))?;
        let notices = notices_of(&path, replay.as_ref());
        let is_setting = |edit: &Edit| matches!(edit, Edit::SetThreshold { .. });
        let corpus = match replay {
            Some(replay) if !replay.edits.iter().all(is_setting) => {
                with_edits(&path, Arc::new(corpus), replay)?
            }
            _ => corpus,
        };
        Ok(Current { corpus, notices })
    }
}

fn with_edits(path: &Path, file: Arc<Corpus>, replay: Replay) -> Result<Corpus, Error> {
    let told = file::read(path, file.identity(), &replay.ends);
    let edits = replay.edits;
    let totals = match told {
        Some(sum) => totals(&file, &sum)?,
        None => None,
    };
    let Some(totals) = totals else {
        return Ok(Corpus::patched(make(path, &file, &edits)?));
    };
    let state = State::new(Arc::clone(&file));
    let mut check = Check::new(&state);
    edits
        .iter()
        .try_for_each(|edit| check.accept(edit.borrowed()))
        .map_err(|error| of_journal(path, error))?;
    let documents = check.documents()?;
    let facts = facts(&file, &edits, &check, &documents, &totals.dictionary)?;
    let path = path.to_owned();
    let make = move || make(&path, &file, &edits);
    Ok(Corpus::deferred(facts, Deferred::new(documents, totals, make)))
}

/// Makes the edits.
fn make(path: &Path, file: &Arc<Corpus>, edits: &[Edit]) -> Result<Patch, Error> {
    let mut state = State::new(Arc::clone(file));
    replay_into(&mut state, edits, &mut WordChange::unknown())
        .map_err(|error| of_journal(path, error))?;
    Builder::new(&state).build()
}

/// The word counts of a corpus with edits; `None` if those cannot be the change of its word counts.
fn totals(file: &Arc<Corpus>, sum: &Sum) -> Result<Option<Totals>, Error> {
    let dictionary = file.dictionary()?;
    if !sum.suits(dictionary) {
        return Ok(None);
    }
    let (words, counts) = sum.new.words();
    let finals = Finals::new(words, &vec![None; counts.len()], dictionary);
    let known = sum.known.iter().map(|&(id, by)| (finals.shift.of(id), by));
    let changes = known.chain(finals.tokens.iter().copied().zip(counts.iter().copied())).collect();
    let dictionary = dictionary.with(&finals.new)?;
    Ok(Some(Totals { file: Arc::clone(file), dictionary, shift: finals.shift, changes }))
}

/// Facts of the corpus with edits, which `check` has accepted.
fn facts(
    file: &Corpus,
    edits: &[Edit],
    check: &Check<'_>,
    documents: &DocumentTable,
    dictionary: &Dictionary,
) -> Result<Facts, Error> {
    let base = file.facts().documents as usize;
    let mut segments = vec![Difference::default(); file.facts().segments.len()];
    for edit in edits.iter().map(Edit::borrowed) {
        let document = edit.of_text().filter(|&document| document < base);
        if let Some(piece) = document.and_then(|document| file.pieces(document).next()) {
            // New bytes are no more symbols than that, and what was one may be several now.
            let symbols = &mut segments[piece.segment].symbols;
            *symbols = symbols.saturating_add(edit.new_bytes()).saturating_add(SYMBOLS_AN_EDIT);
        }
    }
    let removed = check.removed();
    for &document in removed.iter().filter(|&&document| document < base) {
        for piece in file.pieces(document) {
            segments[piece.segment].removed.push(piece.document);
        }
    }
    let mut added = (0, 0u64);
    for document in (base..check.next()).filter(|document| removed.binary_search(document).is_err())
    {
        added = (added.0 + 1, added.1.saturating_add(check.size(document)?));
    }
    let added = Some(added).filter(|(count, _)| *count > 0);
    Ok(facts_with(file.facts(), documents, dictionary, &segments, added))
}

/// How many symbols an edit makes of those around it, more or less.
const SYMBOLS_AN_EDIT: u64 = 16;
