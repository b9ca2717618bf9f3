//! What only the process that edits has: the lock, the journal and the file of word counts.
//!
//! The files are opened with the first edit. So a refused edit leaves no new file, and changes none.

use crate::beside;
use crate::error::{EditError, FileError};
use crate::store::batch;
use crate::store::edit::Edit;
use crate::store::journal::words_file::WordsFile;
use crate::store::journal::{Journal, Replay};
use crate::store::lock::WriterLock;
use crate::store::overlay::check::Check;
use crate::store::overlay::word_change::{Sum, WordChange};
use crate::store::{State, Store};
use std::path::Path;
use std::sync::MutexGuard;

/// The right to edit a corpus.
pub(in crate::store) struct Writer {
    files: Files,
    lock: WriterLock,
}

/// The files that edits go to.
enum Files {
    /// Before the first edit. The journal was read when the corpus was opened.
    Unopened(Option<Replay>),
    Open(Journals),
}

/// Open files.
pub(in crate::store) struct Journals {
    journal: Journal,
    /// `None` once the change of the word counts is unknown.
    words: Option<WordsFile>,
}

impl Journals {
    /// Opens the files of a corpus whose journal has been replayed.
    fn open(path: &Path, state: &State, replay: Option<&Replay>) -> Result<Self, EditError> {
        let corpus = state.access.corpus().identity();
        let journal = Journal::open(path, corpus, replay)?;
        let words = WordsFile::begin(path, corpus, journal.end(), state.words());
        Ok(Self { journal, words })
    }
}

impl Writer {
    /// The writer of a corpus whose journal has been replayed.
    pub(in crate::store) fn new(replay: Option<Replay>, lock: WriterLock) -> Self {
        Self { files: Files::Unopened(replay), lock }
    }

    /// Begins the files of a corpus that has replaced the one before.
    pub(in crate::store) fn begin_anew(
        &mut self,
        path: &Path,
        state: &State,
        replay: Option<&Replay>,
    ) -> Result<(), EditError> {
        self.files = Files::Open(Journals::open(path, state, replay)?);
        Ok(())
    }

    /// The same for a corpus without a journal: its files are opened with the first edit.
    pub(in crate::store) fn begin_later(&mut self, replay: Option<Replay>) {
        self.files = Files::Unopened(replay);
    }

    /// The number of the last record of the journal, which has all edits of the state.
    pub(in crate::store) fn last_record(
        &mut self,
        path: &Path,
        state: &State,
    ) -> Result<u64, EditError> {
        Ok(self.open(path, state)?.journal.end().sequence)
    }

    fn open(&mut self, path: &Path, state: &State) -> Result<&mut Journals, EditError> {
        if let Files::Unopened(replay) = &self.files {
            self.files = Files::Open(Journals::open(path, state, replay.as_ref())?);
        }
        match &mut self.files {
            Files::Open(files) => Ok(files),
            Files::Unopened(_) => unreachable!("they were just opened"),
        }
    }

    /// Writes a record; when this returns, it is on disk.
    fn log(&mut self, path: &Path, state: &State, edits: &[Edit<&[u8]>]) -> Result<(), EditError> {
        let was_there = beside::journal(path).exists();
        let files = self.open(path, state)?;
        let written = files.journal.write(edits);
        if written.is_err() && !was_there {
            // An empty journal would look as if there were edits.
            let _ = std::fs::remove_file(beside::journal(path));
            let _ = std::fs::remove_file(beside::words(path));
        }
        written.map_err(FileError::on("write", beside::journal(path)))?;
        self.lock.keep_file();
        Ok(())
    }
}

impl Store {
    /// Applies edits in order, each to the result of those before it. When this returns, they are on
    /// disk. If one of them is refused, none is applied, and nothing is written.
    ///
    /// # Errors
    /// When an edit is refused (no such document, offset past the end, name taken, text damaged),
    /// the store was opened for reading, or the disk fails.
    pub fn edit(&self, edits: &[Edit]) -> Result<(), EditError> {
        let mut writer = self.writer()?;
        let edits: Vec<Edit<&[u8]>> = edits.iter().map(Edit::borrowed).collect();
        {
            let state = self.read();
            let mut check = Check::new(&state);
            edits.iter().try_for_each(|&edit| check.accept(edit))?;
            check.load_all(edits.iter().filter_map(Edit::of_text))?;
        }
        self.log(&mut writer, &edits)?;
        let mut words = self.new_words();
        let failed = batch::apply(&mut self.write(), &edits, &mut words);
        if !edits.is_empty() {
            self.note(&mut writer, &words);
        }
        self.bell.ring();
        failed.into_iter().next().map_or(Ok(()), |(_, error)| Err(error))
    }

    pub(in crate::store) fn log(
        &self,
        writer: &mut Writer,
        edits: &[Edit<&[u8]>],
    ) -> Result<(), EditError> {
        if edits.is_empty() {
            return Ok(());
        }
        writer.log(&self.path, &self.read(), edits)
    }

    /// An empty change for the next edits; unknown if the change so far is.
    pub(in crate::store) fn new_words(&self) -> WordChange {
        if self.read().words().is_some() { WordChange::default() } else { WordChange::unknown() }
    }

    /// Stores how much the edits of the journal's last record change the word counts.
    pub(in crate::store) fn note(&self, writer: &mut Writer, change: &WordChange) {
        // Readers continue meanwhile. If they count words, they see that some changes are missing.
        let change = Sum::of(&self.read().access, change).ok().flatten();
        if let Files::Open(Journals { journal, words }) = &mut writer.files {
            words.take_if(|file| !file.add(journal.end(), change.as_ref()));
        }
        let state = &mut *self.write();
        match (&mut state.words, change) {
            (Some((edits, words)), Some(change)) => {
                words.merge(&change);
                *edits = state.overlay.edits;
            }
            (words, _) => *words = None,
        }
    }

    pub(in crate::store) fn writer(&self) -> Result<MutexGuard<'_, Writer>, EditError> {
        let writer = self.writer.as_ref();
        let writer = writer.ok_or_else(|| EditError::OnlyReading { path: self.path.clone() })?;
        Ok(writer.lock().expect("no holder panics"))
    }
}
