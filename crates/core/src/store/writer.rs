//! Making edits: what only the process that edits has.

use super::batch;
use super::check::Check;
use super::edit::Edit;
use super::journal::{self, Journal, Replay};
use super::lock::WriterLock;
use super::words::file::WordsFile;
use super::words::{Sum, WordChange};
use super::{State, Store};
use crate::error::Error;
use std::path::Path;
use std::sync::MutexGuard;

/// What only the process that edits has.
pub(super) struct Writer {
    pub(super) journal: Journal,
    /// `None` from when on the change of the word counts is not known.
    pub(super) words: Option<WordsFile>,
    _lock: WriterLock,
}

impl Writer {
    /// For a corpus whose journal has been replayed.
    pub(super) fn new(
        path: &Path,
        state: &State,
        replay: Option<&Replay>,
        lock: WriterLock,
    ) -> Result<Self, Error> {
        let (journal, words) = Self::begin(path, state, replay)?;
        Ok(Self { journal, words, _lock: lock })
    }

    /// The files of such a corpus.
    pub(super) fn begin(
        path: &Path,
        state: &State,
        replay: Option<&Replay>,
    ) -> Result<(Journal, Option<WordsFile>), Error> {
        let corpus = state.access.corpus().identity();
        let journal = Journal::open(path, corpus, replay)?;
        let words = WordsFile::begin(path, corpus, journal.end(), state.words());
        Ok((journal, words))
    }
}

impl Store {
    /// Makes edits, each on the corpus as the ones before it have left it. When this returns, they
    /// are on disk. If one of them cannot be made, none is.
    ///
    /// # Errors
    /// When an edit cannot be made (no such document, offset past the end, name taken), the store
    /// was opened for reading, or the disk fails.
    pub fn edit(&self, edits: &[Edit]) -> Result<(), Error> {
        let mut writer = self.writer()?;
        {
            let state = self.read();
            let mut check = Check::new(&state);
            edits.iter().try_for_each(|edit| check.accept(edit.borrowed()))?;
        }
        let edits: Vec<Edit<&[u8]>> = edits.iter().map(Edit::borrowed).collect();
        self.log(&mut writer, &edits)?;
        let mut words = self.new_words();
        let done = batch::apply(&mut self.write(), &edits, &mut words);
        if !edits.is_empty() {
            self.note(&mut writer, &words);
        }
        self.bell.ring();
        done
    }

    pub(super) fn log(&self, writer: &mut Writer, edits: &[Edit<&[u8]>]) -> Result<(), Error> {
        if edits.is_empty() {
            return Ok(());
        }
        writer.journal.write(edits).map_err(Error::io("write", journal::path_of(&self.path)))
    }

    /// What is to be told of the words that the next edits change.
    pub(super) fn new_words(&self) -> WordChange {
        if self.read().words().is_some() { WordChange::default() } else { WordChange::unknown() }
    }

    /// Keeps by how much the edits of the journal's last record have changed the word counts.
    pub(super) fn note(&self, writer: &mut Writer, change: &WordChange) {
        // Found while others read. If they ask for all words meanwhile, they see that some are missing.
        let change = Sum::of(&self.read().access, change).ok().flatten();
        let end = writer.journal.end();
        writer.words.take_if(|file| !file.add(end, change.as_ref()));
        let state = &mut *self.write();
        match (&mut state.words, change) {
            (Some((edits, words)), Some(change)) => {
                words.merge(&change);
                *edits = state.overlay.edits;
            }
            (words, _) => *words = None,
        }
    }

    pub(super) fn writer(&self) -> Result<MutexGuard<'_, Writer>, Error> {
        let writer = self.writer.as_ref();
        let writer = writer.ok_or_else(|| Error::OnlyReading { path: self.path.clone() })?;
        Ok(writer.lock().expect("no holder panics"))
    }
}
