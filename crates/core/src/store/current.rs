//! A corpus as it is now, for a question to the whole of it.
//!
//! Whoever asks one question and goes, as a command does, needs no store. If the file of word counts
//! beside the journal tells what the edits have changed of them, the edits are not even made, until a
//! question needs more than those counts.

use super::check::Check;
use super::deferred::{self, Outline};
use super::edit::Edit;
use super::journal::{self, Replay};
use super::load::{self, notices_of, of_journal, replay_into};
use super::snapshot::Builder;
use super::words::{WordChange, file};
use super::{State, Store, real_path};
use crate::corpus::{Corpus, Patch};
use crate::error::Error;
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
    let words = file::read(path, file.identity(), &replay.ends);
    let edits = Arc::new(replay.edits);
    if let Some(words) = words {
        let state = State::new(Arc::clone(&file));
        let outline = outline(&state, &edits).map_err(|error| of_journal(path, error))?;
        let make = {
            let (path, file, edits) = (path.to_owned(), Arc::clone(&file), Arc::clone(&edits));
            move || make(&path, &file, &edits)
        };
        if let Some(corpus) = deferred::corpus(&state.access, &words, outline, make)? {
            return Ok(corpus);
        }
    }
    Ok(Corpus::patched(make(path, &file, &edits)?))
}

/// Makes the edits.
fn make(path: &Path, file: &Arc<Corpus>, edits: &[Edit]) -> Result<Patch, Error> {
    let mut state = State::new(Arc::clone(file));
    replay_into(&mut state, edits, &mut WordChange::unknown())
        .map_err(|error| of_journal(path, error))?;
    Builder::new(&state).build()
}

/// What edits make of the list of documents.
fn outline(state: &State, edits: &[Edit]) -> Result<Outline, Error> {
    let base = state.access.corpus().facts().documents as usize;
    let mut check = Check::new(state);
    let mut edited = Vec::new();
    for edit in edits.iter().map(Edit::borrowed) {
        check.accept(edit)?;
        let document = edit.of_text().filter(|&document| document < base);
        edited.extend(document.map(|document| (document, 1, edit.new_bytes())));
    }
    let mut removed = check.removed();
    let added = (base..check.next()).filter(|document| removed.binary_search(document).is_err());
    let added = added.map(|document| check.size(document)).collect::<Result<_, _>>()?;
    removed.retain(|&document| document < base);
    Ok(Outline { documents: check.documents()?, removed, edited, added })
}
