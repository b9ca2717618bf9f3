//! A corpus from its file and its journal.

use super::check::Check;
use super::edit::Edit;
use super::journal::{self, Owner, Replay};
use super::{State, batch};
use crate::corpus::Corpus;
use crate::error::Error;
use std::path::Path;
use std::sync::Arc;

/// A corpus with the edits of its journal, and what that said. `shown` is the path as the caller
/// knows it.
pub(super) fn load(shown: &Path, path: &Path) -> Result<(State, Option<Replay>), Error> {
    // The journal first: if a compaction comes in between, the corpus opened after it says how much
    // of the journal it has.
    let bytes = journal::read(path)?;
    let corpus = Corpus::open(shown)?;
    let owner = Owner { corpus: corpus.identity(), origin: corpus.origin()? };
    let of_journal = |what| Error::Journal { path: journal::path_of(path), what };
    let replay = match &bytes {
        None => None,
        Some(bytes) => journal::replay(bytes, owner).map_err(of_journal)?,
    };
    let mut state = State::new(Arc::new(corpus));
    if let Some(replay) = &replay {
        replay_into(&mut state, &replay.edits).map_err(|error| of_journal(error.to_string()))?;
    }
    Ok((state, replay))
}

/// Applies the edits of a journal. They were checked when they were made, but a journal may be
/// forged.
fn replay_into(state: &mut State, edits: &[Edit]) -> Result<(), Error> {
    let edits: Vec<Edit<&[u8]>> = edits.iter().map(Edit::borrowed).collect();
    let mut check = Check::new(state);
    edits.iter().try_for_each(|&edit| check.accept(edit))?;
    batch::apply(state, &edits)
}
