//! Loads a corpus from its file and its journal.

use crate::beside;
use crate::corpus::Corpus;
use crate::error::shared::chain;
use crate::error::{EditError, FileError, OpenError};
use crate::store::edit::Edit;
use crate::store::journal::{self, Owner, Replay};
use crate::store::overlay::Unapplied;
use crate::store::overlay::check::Check;
use crate::store::overlay::word_change::{Sum, WordChange};
use crate::store::{State, batch};
use std::path::Path;
use std::sync::Arc;

/// Loads a corpus and applies the edits of its journal, which is returned too. `shown` is the path as the
/// caller gave it. The words that edits change are added to `words`.
pub(in crate::store) fn load(
    shown: &Path,
    path: &Path,
    mut words: WordChange,
) -> Result<(State, Option<Replay>), OpenError> {
    let (corpus, replay) = read(shown, path, || journal::read(path))?;
    let mut state = State::new(Arc::new(corpus));
    if let Some(replay) = &replay {
        replay_into(&mut state, path, replay, &mut words)?;
    }
    state.words = Sum::of(&state.access, &words)?.map(|sum| (state.overlay.edits, sum));
    Ok((state, replay))
}

/// Opens a corpus and reads its journal; `journal` returns the journal's bytes.
pub(in crate::store) fn read(
    shown: &Path,
    path: &Path,
    mut journal: impl FnMut() -> Result<Option<Arc<Vec<u8>>>, FileError>,
) -> Result<(Corpus, Option<Replay>), OpenError> {
    // The journal first: if a compaction happens in between, the file opened after it says which records
    // it includes.
    let mut bytes = journal()?;
    loop {
        let corpus = Corpus::open_without_edits(shown)?;
        let owner = Owner { corpus: corpus.identity(), origin: corpus.origin()? };
        let replay = match &bytes {
            None => Ok(None),
            Some(bytes) => journal::replay(bytes, owner),
        };
        match replay {
            Ok(replay) => return Ok((corpus, replay)),
            Err(what) => {
                // If two compactions happened in between, there is another journal by now.
                let again = journal()?;
                if again == bytes {
                    return Err(OpenError::Journal { path: beside::journal(path), what });
                }
                bytes = again;
            }
        }
    }
}

/// Applies the edits of a journal. They were checked when they were made, but a journal may be
/// forged. If the text of a document is damaged, the others can still be read and edited.
pub(in crate::store) fn replay_into(
    state: &mut State,
    path: &Path,
    replay: &Replay,
    words: &mut WordChange,
) -> Result<(), OpenError> {
    let edits: Vec<Edit<&[u8]>> = replay.edits().collect();
    let mut check = Check::of_journal(state);
    let checked = edits.iter().try_for_each(|&edit| check.accept(edit));
    checked.map_err(|error| of_journal(path, &error))?;
    let sizes = check.into_sizes();
    for (document, error) in batch::apply(state, &edits, words) {
        // A document that was removed later is not needed any more.
        if let Some(Some(size)) = sizes.get(&document) {
            let (journal, cause) = (beside::journal(path), chain(&error));
            state.overlay.set_unapplied(document, Unapplied { journal, cause, size: *size });
        }
    }
    Ok(())
}

/// The error for an edit in a journal that cannot be applied.
pub(in crate::store) fn of_journal(corpus: &Path, error: &EditError) -> OpenError {
    OpenError::Journal { path: beside::journal(corpus), what: chain(error) }
}

/// Notices about a journal for the user.
pub(in crate::store) fn notices_of(corpus: &Path, replay: Option<&Replay>) -> Vec<String> {
    let dropped = replay.map(|replay| replay.dropped).filter(|&dropped| dropped > 0);
    let journal = beside::journal(corpus);
    let notice = |dropped| {
        let journal = journal.display();
        format!("dropped {dropped} bytes at the end of {journal}: an edit that was never complete")
    };
    dropped.into_iter().map(notice).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Sources;
    use crate::progress::Silent;
    use crate::store::Store;

    /// A reader that is overtaken by two compactions reads the journal again.
    #[test]
    fn a_journal_that_was_overtaken_is_read_again() {
        let scratch = tempfile::tempdir().unwrap();
        let (text, path) = (scratch.path().join("text"), scratch.path().join("corpus.zgram"));
        std::fs::write(&text, "one fine day").unwrap();
        let sources = Sources::new([text]);
        crate::compress(&sources, &path, &crate::CompressOptions::default(), &Silent).unwrap();
        let store = Store::open_for_editing(&path).unwrap();
        let append = |text: &str| {
            let bytes = text.as_bytes().to_vec();
            store.edit(&[Edit::Append { document: 0, bytes }]).unwrap();
        };
        append(" a");
        let overtaken = journal::read(&path).unwrap();
        store.compact(&Silent).unwrap();
        append(" b");
        store.compact(&Silent).unwrap();
        append(" c");
        let mut reads = 0;
        let journal = || {
            reads += 1;
            if reads == 1 { Ok(overtaken.clone()) } else { journal::read(&path) }
        };
        let (corpus, replay) = read(&path, &path, journal).unwrap();
        let mut state = State::new(Arc::new(corpus));
        let words = &mut WordChange::unknown();
        replay_into(&mut state, &path, &replay.unwrap(), words).unwrap();
        assert_eq!(state.extract(0, 0, 100).unwrap(), b"one fine day a b c");
        assert_eq!(reads, 2);
        // A journal that has not changed belongs to another corpus.
        let Err(refused) = read(&path, &path, || Ok(overtaken.clone())) else {
            panic!("it was taken");
        };
        assert!(refused.to_string().contains("another corpus"), "{refused}");
    }
}
