//! Compaction: merges pending edits into the grammar.
//!
//! Segments without edited or removed documents are kept: their bytes are copied, neither decoded nor
//! encoded. The other segments are rebuilt from the current text. A document in several segments rebuilds
//! all of them. Added documents make new segments at the end.
//!
//! Copied segments need all tokens of the old dictionary, with their frequency levels and clusters. So the
//! dictionary only gains tokens, and those that are used no more stay. If most of the text is rebuilt, or
//! the dictionary has gained many tokens since a segment was encoded, all segments are encoded again with
//! a new dictionary; the rules of kept ones stay.
//!
//! The new file is written beside the old one and renamed over it when it is complete and on disk. It
//! names the old file and the last record of the journal that it includes. So any state after a crash is
//! consistent: with the old file the journal is replayed, and with the new file that record and all
//! before it are known to be included.
//!
//! Edits continue meanwhile and go to the journal as usual: the corpus is compacted as it was at the
//! start. Edits wait only while that state is copied, and at the end while the edits made meanwhile are
//! carried over to the new file's journal.

mod background;
mod threshold;

pub use crate::format::threshold::Threshold;
pub use background::BackgroundCompaction;
pub(in crate::store) use background::Bell;

use crate::compress::{
    self, Collector, CompressOptions, KeptPart, KeptSegment, ReusedSegment, Start,
};
use crate::corpus::Corpus;
use crate::durable;
use crate::error::{CompressError, EditError, OpenError};
use crate::format::SectionKind;
use crate::input::{DocumentHead, Visitor};
use crate::progress::Progress;
use crate::store::load::load;
use crate::store::overlay::word_change::WordChange;
use crate::store::{State, Store};
use std::io::{self, Read, Write};
use std::sync::PoisonError;

/// The result of a compaction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Edits merged into the grammar.
    pub edits: u64,
    /// Segments rebuilt.
    pub rebuilt: usize,
    /// Segments kept.
    pub kept: usize,
    /// The file's size before.
    pub bytes_before: u64,
    /// The file's size now.
    pub bytes_after: u64,
}

impl Store {
    /// Rewrites the corpus file with all pending edits in it. Reads and edits continue meanwhile; edits
    /// made before it ends are pending afterwards. Added documents, and those after a removed one, get
    /// new numbers.
    ///
    /// # Errors
    /// When the store was opened for reading, a section is damaged, the disk fails, or `progress`
    /// asks to stop. The corpus and its edits are then unchanged.
    pub fn compact(&self, progress: &dyn Progress) -> Result<Compaction, EditError> {
        self.compact_as(progress, |_| ())
    }

    /// The same with some options of the file changed.
    pub(in crate::store) fn compact_as(
        &self,
        progress: &dyn Progress,
        change: impl FnOnce(&mut CompressOptions),
    ) -> Result<Compaction, EditError> {
        let _compacting = self.compacting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut done = Compaction::default();
        let (state, origin) = {
            // No edit can come between the last record and the state that has it.
            let mut writer = self.writer()?;
            let state = self.read();
            let corpus = state.access.corpus();
            done.edits = state.overlay.edits;
            done.bytes_before = corpus.compressed_bytes();
            done.bytes_after = done.bytes_before;
            if done.edits == 0 {
                done.kept = corpus.facts().segments.len();
                return Ok(done);
            }
            let last = writer.last_record(&self.path, &state)?;
            (state.frozen(), corpus.identity().to_origin(last))
        };
        let scratch = durable::folder_of(&self.path);
        let mut options = options_of(&state);
        change(&mut options);
        durable::replace_file(&self.path, |out| {
            rewrite(&state, Some(origin), out, scratch, &options, progress, &mut done)
        })?;
        // From here on the journal belongs to the file before. Every process that opens the new file
        // takes from it the edits that are not in the file, and so does this store.
        let mut writer = self.writer()?;
        let (state, replay) = load(&self.path, &self.path, WordChange::default())?;
        let corpus = state.access.corpus();
        done.bytes_after = corpus.compressed_bytes();
        writer.begin_anew(&self.path, &state, replay.as_ref())?;
        *self.write() = state;
        Ok(done)
    }
}

/// The options that a corpus was compressed with, as far as the file stores them.
fn options_of(state: &State) -> CompressOptions {
    let corpus = state.access.corpus();
    let facts = corpus.facts();
    let index = corpus.sections().iter().any(|section| section.kind == SectionKind::WordCounts);
    let mut options = CompressOptions {
        level: facts.level,
        grammar: facts.grammar,
        layer: facts.layer,
        index,
        phrases: corpus.has_phrase_index(),
        threshold: state.set_threshold(),
        ..CompressOptions::default()
    };
    if facts.segments.len() > 1 {
        let largest = facts.segments.iter().map(|segment| segment.sizes.text_bytes).max();
        options.segment_size = largest.unwrap_or_default().max(1);
    }
    options
}

fn rewrite(
    state: &State,
    origin: Option<Vec<u8>>,
    out: &mut (dyn Write + Send),
    scratch: &std::path::Path,
    options: &CompressOptions,
    progress: &dyn Progress,
    done: &mut Compaction,
) -> Result<(), EditError> {
    let corpus = state.access.corpus();
    let dictionary = Some(corpus.dictionary()?);
    let touched = touched_segments(state);
    let mut later = later_tokens(corpus, &touched, options)?;
    let kept = match &later {
        Some(_) => Some(KeptPart {
            clusters: corpus.clusters()?,
            totals: totals_of_kept(state, &touched)?,
        }),
        None => None,
    };
    let start = Start { dictionary, kept, origin, ..Start::default() };
    compress::write_corpus::<EditError>(start, out, scratch, options, progress, |collector| {
        for (number, &is_touched) in touched.iter().enumerate() {
            progress.check().map_err(CompressError::from)?;
            if is_touched {
                done.rebuilt += 1;
                feed_segment(state, number, collector)?;
            } else {
                done.kept += 1;
                match &mut later {
                    Some(later) => {
                        let later = std::mem::take(&mut later[number]);
                        collector.keep(copied(state, number, later)?)?;
                    }
                    None => collector.reuse(reused(state, number)?)?,
                }
            }
        }
        let base = corpus.facts().documents as usize;
        let added = (base..state.overlay.next()).filter(|&number| state.overlay.has(number));
        added.into_iter().try_for_each(|number| feed(state, number, None, collector))
    })?;
    Ok(())
}

/// Which segments must be rebuilt. Segments that share a document with one of them are rebuilt too,
/// since the pieces of the document change.
fn touched_segments(state: &State) -> Vec<bool> {
    let corpus = state.access.corpus();
    let segments = &corpus.facts().segments;
    let mut touched = vec![false; segments.len()];
    let edited = state.overlay.edited().into_iter();
    let base = corpus.facts().documents as usize;
    for document in edited.chain(state.overlay.removed()).filter(|&document| document < base) {
        corpus.known_pieces(document).for_each(|piece| touched[piece.segment] = true);
    }
    let goes_on =
        |number: usize| segments[number].documents > 0 && segments[number].first_piece > 0;
    for number in 1..segments.len() {
        touched[number] |= goes_on(number) && touched[number - 1];
    }
    for number in (1..segments.len()).rev() {
        touched[number - 1] |= goes_on(number) && touched[number];
    }
    touched
}

/// Documents of the file that begin in a segment.
fn beginning_in(corpus: &Corpus, number: usize) -> std::ops::Range<usize> {
    let facts = &corpus.facts().segments[number];
    let goes_on = facts.documents > 0 && facts.first_piece > 0;
    let first = facts.first_document as usize;
    first + usize::from(goes_on)..first + facts.documents as usize
}

/// A dictionary that has gained more than one in this many of its tokens since a segment was encoded is
/// arranged anew.
const MOST_LATER: usize = 4;

/// Per kept segment, the tokens that the dictionary gained after it was encoded; `None` if all segments are
/// to be encoded again.
fn later_tokens(
    corpus: &Corpus,
    touched: &[bool],
    options: &CompressOptions,
) -> Result<Option<Vec<Vec<u32>>>, OpenError> {
    let (mut kept, mut all) = (0, 0);
    for (facts, is_touched) in corpus.facts().segments.iter().zip(touched) {
        // A segment without text counts too.
        let bytes = facts.sizes.text_bytes.saturating_add(1);
        kept += if *is_touched { 0 } else { u128::from(bytes) };
        all += u128::from(bytes);
    }
    // Phrase indexes number words as the dictionary does.
    if options.phrases || kept * 2 < all {
        return Ok(None);
    }
    let most = corpus.dictionary()?.len() / MOST_LATER;
    let mut later = vec![Vec::new(); touched.len()];
    for (number, later) in later.iter_mut().enumerate().filter(|(number, _)| !touched[*number]) {
        *later = corpus.later_tokens(number)?.unwrap_or_default();
        if later.len() > most || corpus.has_word_counts(number) != options.index {
            return Ok(None);
        }
    }
    Ok(Some(later))
}

/// How often each word occurs in the segments that are kept, if the file stores totals.
fn totals_of_kept(state: &State, touched: &[bool]) -> Result<Option<Vec<u64>>, OpenError> {
    let corpus = state.access.corpus();
    let Some(totals) = corpus.word_totals()? else { return Ok(None) };
    let words = corpus.dictionary()?.words();
    let mut totals: Vec<u64> = totals.iter().map(|(_, total)| total).collect();
    // So large a number stands for any above it.
    if totals.contains(&u64::MAX) {
        return Ok(None);
    }
    for number in (0..touched.len()).filter(|&number| touched[number]) {
        let uses = match state.access.loaded(number) {
            Some(grammar) => grammar.uses(),
            None => corpus.segment_tally(number)?.uses(),
        };
        let uses = &uses[words.start as usize..words.end as usize];
        totals.iter_mut().zip(uses).for_each(|(total, uses)| {
            *total = total.saturating_sub(*uses);
        });
    }
    Ok(Some(totals))
}

/// The documents that begin in a segment.
fn documents_of(state: &State, number: usize) -> Result<Vec<(Vec<u8>, u64)>, OpenError> {
    beginning_in(state.access.corpus(), number)
        .map(|document| Ok((state.name(document)?.to_vec(), state.size(document)?)))
        .collect()
}

/// A segment to be copied.
fn copied(state: &State, number: usize, later: Vec<u32>) -> Result<KeptSegment, OpenError> {
    let corpus = state.access.corpus();
    Ok(KeptSegment {
        facts: corpus.facts().segments[number],
        documents: documents_of(state, number)?,
        later,
        stored: corpus.stored_segment(number),
        path: corpus.path().to_owned(),
    })
}

/// A segment to be encoded again.
fn reused(state: &State, number: usize) -> Result<ReusedSegment, OpenError> {
    let corpus = state.access.corpus();
    Ok(ReusedSegment {
        grammar: corpus.segment(number)?,
        envelopes: corpus.envelopes(number)?,
        facts: corpus.facts().segments[number],
        documents: documents_of(state, number)?,
    })
}

fn feed_segment(
    state: &State,
    number: usize,
    collector: &mut Collector<'_, '_>,
) -> Result<(), EditError> {
    let envelopes = state.access.corpus().envelopes(number)?;
    let mut envelopes = envelopes.iter().flat_map(|envelopes| envelopes.iter());
    for document in beginning_in(state.access.corpus(), number) {
        let envelope = envelopes.next();
        if state.overlay.has(document) {
            feed(state, document, envelope, collector)?;
        }
    }
    Ok(())
}

fn feed(
    state: &State,
    document: usize,
    envelope: Option<crate::input::Envelope<'_>>,
    collector: &mut Collector<'_, '_>,
) -> Result<(), EditError> {
    let size = state.size(document)?;
    let head = DocumentHead { name: state.name(document)?, size: Some(size), envelope };
    let mut text = TextReader { state, document, offset: 0, size };
    Ok(collector.document(head, &mut text)?)
}

/// A document's text as a stream.
struct TextReader<'a> {
    state: &'a State,
    document: usize,
    offset: u64,
    size: u64,
}

impl Read for TextReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = buffer.len().min(usize::try_from(self.size - self.offset).unwrap_or(usize::MAX));
        let text = self.state.extract(self.document, self.offset, len).map_err(io::Error::other)?;
        buffer[..text.len()].copy_from_slice(&text);
        self.offset += text.len() as u64;
        Ok(text.len())
    }
}
