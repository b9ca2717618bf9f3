//! Adds phrase indexes to a corpus file, or takes them out.
//!
//! The new file has the sections of the old one, byte for byte, and is renamed over it when it is
//! complete. If there is a journal, the new file names the old one, as after a compaction. If edits are
//! pending, the corpus is compacted at the same time.

use crate::beside;
use crate::compress::CompressOptions;
use crate::corpus::Corpus;
use crate::durable;
use crate::error::{CompressError, EditError, FileError};
use crate::format::SectionKind;
use crate::format::container::ContainerWriter;
use crate::phrases;
use crate::progress::{Progress, Stage};
use crate::store::load::load;
use crate::store::overlay::word_change::WordChange;
use crate::store::{Compaction, Store};
use rayon::prelude::*;
use std::io::Write;
use std::sync::PoisonError;

/// Bytes that building the index of a segment takes: for each word and for each symbol of its grammar.
const BYTES_A_WORD: u64 = 14;
const BYTES_A_SYMBOL: u64 = 8;

impl Store {
    /// Gives the corpus file phrase indexes, with which phrases are counted and found in microseconds;
    /// or takes them out. Merges pending edits, as [`compact`](Self::compact) does.
    ///
    /// # Errors
    /// As for [`compact`](Self::compact); or when the indexes cannot be built. The file is then
    /// unchanged.
    pub fn index_phrases(
        &self,
        with_phrases: bool,
        progress: &dyn Progress,
    ) -> Result<Compaction, EditError> {
        if with_phrases {
            phrases::check_feature().map_err(CompressError::from)?;
        }
        let compacting = self.compacting.lock().unwrap_or_else(PoisonError::into_inner);
        // Edits wait until the new file is there.
        let mut writer = self.writer()?;
        if self.pending().edits > 0 {
            drop((writer, compacting));
            return self.compact_as(progress, |options| options.phrases = with_phrases);
        }
        let corpus = self.corpus();
        let before = corpus.compressed_bytes();
        let mut done =
            Compaction { bytes_before: before, bytes_after: before, ..Compaction::default() };
        done.kept = corpus.facts().segments.len();
        let has_none = corpus.sections().iter().all(|section| section.kind != SectionKind::Phrases);
        let is_done = if with_phrases { corpus.has_phrase_index() } else { has_none };
        if is_done {
            return Ok(done);
        }
        // A journal without edits belongs to the file before.
        let has_journal = beside::journal(&self.path).exists();
        let origin = match has_journal {
            true => {
                let last = writer.last_record(&self.path, &self.read())?;
                Some(corpus.identity().to_origin(last))
            }
            false => None,
        };
        durable::replace_file(&self.path, |out| {
            copy(&corpus, with_phrases, origin.as_deref(), out, progress)
        })?;
        let (state, replay) = load(&self.path, &self.path, WordChange::default())?;
        done.bytes_after = state.access.corpus().compressed_bytes();
        match has_journal {
            true => writer.begin_anew(&self.path, &state, replay.as_ref())?,
            false => writer.begin_later(replay),
        }
        *self.write() = state;
        Ok(done)
    }
}

/// Writes a corpus with phrase indexes or without.
fn copy(
    corpus: &Corpus,
    with_phrases: bool,
    origin: Option<&[u8]>,
    out: &mut (dyn Write + Send),
    progress: &dyn Progress,
) -> Result<(), EditError> {
    let write = |error| CompressError::from(FileError::on("write", corpus.path())(error));
    let mut writer = ContainerWriter::new(out).map_err(write)?;
    let container = corpus.container();
    for section in container.sections() {
        if matches!(section.kind, SectionKind::Phrases | SectionKind::Origin) {
            continue;
        }
        progress.check().map_err(CompressError::from)?;
        let bytes = container.read(section).map_err(|error| corpus.damaged(error))?;
        writer.section(section.kind, section.number, &bytes).map_err(write)?;
    }
    if let Some(origin) = origin {
        writer.section(SectionKind::Origin, 0, origin).map_err(write)?;
    }
    if with_phrases {
        let segments: Vec<usize> = (0..corpus.facts().segments.len()).collect();
        let first_word = corpus.dictionary()?.words().start;
        progress.expect(Stage::Writing, corpus.facts().sizes.text_bytes);
        for numbers in segments.chunks(at_once(corpus)) {
            let built = numbers.par_iter().map(|&number| {
                progress.check().map_err(CompressError::from)?;
                let bytes = phrases::encode(&corpus.segment(number)?, first_word);
                progress.advance(Stage::Writing, corpus.facts().segments[number].sizes.text_bytes);
                Ok(bytes.map_err(CompressError::from)?)
            });
            let built: Vec<Result<Vec<u8>, EditError>> = built.collect();
            for (&number, bytes) in numbers.iter().zip(built) {
                writer.section(SectionKind::Phrases, number as u32, &bytes?).map_err(write)?;
            }
        }
    }
    writer.finish().map_err(write)?;
    Ok(())
}

/// How many segments are indexed at the same time.
fn at_once(corpus: &Corpus) -> usize {
    let segments = corpus.facts().segments.iter();
    let each = segments.map(|segment| {
        BYTES_A_WORD * segment.sizes.text_words + BYTES_A_SYMBOL * segment.sizes.symbols
    });
    let most = CompressOptions::default().memory / each.max().unwrap_or(0).max(1);
    (most as usize).clamp(1, rayon::current_num_threads().max(1))
}
