//! Writes the documents of a corpus as files.
//!
//! A plan is made and checked first, so that nothing is written if a name is unusable or a file is in
//! the way. Then a few segments at a time are loaded, and all files with text in them are written in
//! parallel. Only the last file of such a batch may continue in the next segments; it stays open until
//! then. Each file is written beside its place and moved there when it is complete.
//!
//! Limit: a process that can write into the output folder while this runs can replace a folder by a
//! symbolic link, which is then followed.

mod output;
mod plan;

use crate::corpus::Corpus;
use crate::error::{DecompressError, FileError};
use crate::expand::Expander;
use crate::format::SectionKind;
use crate::format::envelopes::Envelopes;
use crate::grammar::Grammar;
use crate::input::Envelope;
use crate::progress::{Progress, Stage};
use crate::threads::pool;
use output::Output;
use plan::Plan;
use rayon::prelude::*;
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

/// At most this many segments are in memory at once. With more, loading would outrun any disk.
const SEGMENTS_AT_ONCE: usize = 4;

/// The longest text of a JSON line; reading has the same limit.
const LONGEST_LINE: u64 = 1 << 30;

/// How to decompress.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecompressOptions {
    /// Replaces files that exist.
    pub force: bool,
    /// Number of threads, at most 1,024; 0 for one per core.
    pub threads: usize,
}

/// Totals of a [`decompress()`] run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct DecompressSummary {
    /// Documents expanded.
    pub documents: u64,
    /// Files written: fewer than documents if those were lines of JSON.
    pub files: u64,
    /// Bytes of the documents' text.
    pub text_bytes: u64,
}

/// Writes documents as files below `folder`, under the documents' names. `selection` lists the numbers
/// of the documents; if it is empty, all are written. With all documents, JSON Lines files are restored
/// byte for byte; a selected line becomes a file with the line's text, named as the line.
///
/// # Errors
/// When a document of `selection` does not exist, a file exists and may not be replaced, a name leads
/// out of the folder, the corpus is damaged, writing fails or `progress` asks to stop. Files complete
/// by then stay; no temporary file is left. In the first three cases nothing is written at all.
pub fn decompress(
    corpus: &Corpus,
    selection: &[usize],
    folder: impl AsRef<Path>,
    options: &DecompressOptions,
    progress: &dyn Progress,
) -> Result<DecompressSummary, DecompressError> {
    let folder = folder.as_ref();
    let plan = Plan::new(corpus, selection)?;
    plan.check_names()?;
    plan.check_folder(folder, options.force)?;
    let text_bytes =
        plan.chosen().iter().map(|&document| plan.documents().known_size(document)).sum::<u64>();
    progress.expect(Stage::Expanding, text_bytes);
    plan.make_folders(folder)?;
    let pool = pool(options.threads).map_err(FileError::on("start threads to write to", folder))?;
    let files = plan.file_count() as u64;
    let documents = plan.chosen().len() as u64;
    pool.install(|| Run { corpus, plan: &plan, folder, options, progress }.all_segments())?;
    Ok(DecompressSummary { documents, files, text_bytes })
}

/// A document, or the piece of it in one segment.
struct Piece {
    /// The document's index among the chosen ones.
    at: usize,
    /// Index of the segment among those in memory.
    segment: usize,
    /// The document's number in the segment.
    document: usize,
    begins: bool,
    ends: bool,
}

/// A segment in memory.
struct Loaded {
    grammar: Grammar,
    envelopes: Option<Envelopes>,
}

struct Run<'a> {
    corpus: &'a Corpus,
    plan: &'a Plan<'a>,
    folder: &'a Path,
    options: &'a DecompressOptions,
    progress: &'a dyn Progress,
}

impl Run<'_> {
    fn all_segments(&self) -> Result<(), DecompressError> {
        self.corpus.dictionary()?;
        let segments = &self.corpus.facts().segments;
        let needed: Vec<usize> =
            (0..segments.len()).filter(|&segment| !self.chosen_in(segment).is_empty()).collect();
        let mut unfinished = None;
        for batch in needed.chunks(rayon::current_num_threads().min(SEGMENTS_AT_ONCE)) {
            self.progress.check()?;
            unfinished = self.segments(batch, unfinished)?;
        }
        Ok(())
    }

    /// The indexes, among the chosen documents, of those in a segment.
    fn chosen_in(&self, segment: usize) -> Range<usize> {
        let facts = &self.corpus.facts().segments[segment];
        let place = |document: u64| {
            self.plan.chosen().partition_point(|&chosen| (chosen as u64) < document)
        };
        place(facts.first_document)..place(facts.first_document + facts.documents)
    }

    /// Writes the text in a batch of segments. Takes the file that the batch before left unfinished and
    /// returns the file that this batch leaves unfinished.
    fn segments(
        &self,
        batch: &[usize],
        resumed: Option<Output>,
    ) -> Result<Option<Output>, DecompressError> {
        let loaded: Vec<Loaded> =
            batch.par_iter().map(|&segment| self.load(segment)).collect::<Result<_, _>>()?;
        let dictionary = self.corpus.dictionary()?;
        let expanders: Vec<(Expander<'_>, Vec<Envelope<'_>>)> = loaded
            .par_iter()
            .map(|Loaded { grammar, envelopes }| {
                let envelopes = envelopes.iter().flat_map(Envelopes::iter).collect();
                (Expander::new(grammar, dictionary), envelopes)
            })
            .collect();
        let pieces = self.pieces(batch);
        let file_of = |piece: &Piece| self.plan.file_of(piece.at);
        let files: Vec<&[Piece]> = pieces.chunk_by(|a, b| file_of(a) == file_of(b)).collect();
        // Only the first file can have begun in an earlier batch; only the last can continue.
        let (resumed, unfinished) = (Mutex::new(resumed), Mutex::new(None));
        files.par_iter().enumerate().try_for_each(|(number, pieces)| {
            let begun = if number == 0 { take(&resumed) } else { None };
            let mut output = match begun {
                Some(output) => output,
                None => Output::create(self.folder.join(self.plan.path(file_of(&pieces[0]))?))?,
            };
            for piece in *pieces {
                self.progress.check()?;
                let symbols = loaded[piece.segment].grammar.document(piece.document);
                let (expander, envelopes) = &expanders[piece.segment];
                if piece.begins {
                    output.document_bytes = 0;
                }
                let size = self.plan.documents().known_size(self.plan.chosen()[piece.at]);
                let before = output.document_bytes;
                let added = if self.plan.joins_lines() {
                    if piece.begins {
                        let begun_before =
                            loaded[piece.segment].grammar.doc_count() - envelopes.len();
                        output.begin_line(&envelopes[piece.document - begun_before]);
                    }
                    output.add_to_line(
                        expander,
                        symbols,
                        size.min(LONGEST_LINE).saturating_sub(before),
                    )
                } else {
                    output.write_text(
                        expander,
                        symbols,
                        size.saturating_sub(before),
                        self.progress,
                    )?
                };
                let added = added.unwrap_or_else(|| expander.len(symbols));
                output.document_bytes = before.saturating_add(added);
                self.check_size(piece, output.document_bytes)?;
                if piece.ends && self.plan.joins_lines() {
                    output.end_line(self.progress)?;
                }
            }
            let last = &pieces[pieces.len() - 1];
            if last.ends && self.plan.is_last_of_file(last.at) {
                output.finish(self.options.force)?;
            } else {
                *unfinished.lock().expect("no holder panics") = Some(output);
            }
            Ok::<(), DecompressError>(())
        })?;
        Ok(take(&unfinished))
    }

    fn load(&self, segment: usize) -> Result<Loaded, DecompressError> {
        let grammar = self.corpus.segment_by(segment, self.corpus.pool_threads_a_segment())?;
        if !self.plan.joins_lines() {
            return Ok(Loaded { grammar, envelopes: None });
        }
        let envelopes = self.corpus.envelopes(segment)?;
        let count = envelopes.as_ref().map_or(0, |envelopes| envelopes.iter().count());
        let begun_before = usize::from(self.corpus.facts().segments[segment].first_piece > 0);
        if count + begun_before != grammar.doc_count() {
            let what = format!("{count} lines, not {}", grammar.doc_count() - begun_before);
            return Err(self
                .corpus
                .inconsistent(SectionKind::Envelopes, segment as u32, what)
                .into());
        }
        Ok(Loaded { grammar, envelopes })
    }

    /// The pieces in a batch of segments, in order.
    fn pieces(&self, batch: &[usize]) -> Vec<Piece> {
        let segments = &self.corpus.facts().segments;
        let mut pieces = Vec::new();
        for (place, &segment) in batch.iter().enumerate() {
            let facts = &segments[segment];
            let next = segments[segment + 1..].iter().find(|next| next.documents > 0);
            let goes_on = next.is_some_and(|next| next.first_piece > 0);
            for at in self.chosen_in(segment) {
                let document = self.plan.chosen()[at] - facts.first_document as usize;
                pieces.push(Piece {
                    at,
                    segment: place,
                    document,
                    begins: document > 0 || facts.first_piece == 0,
                    ends: document + 1 < facts.documents as usize || !goes_on,
                });
            }
        }
        pieces
    }

    /// Refuses a document that has more bytes up to this piece than its size, or fewer at the end.
    fn check_size(&self, piece: &Piece, got: u64) -> Result<(), DecompressError> {
        let document = self.plan.chosen()[piece.at];
        let size = self.plan.documents().known_size(document);
        let fits = if piece.ends { got == size } else { got <= size };
        if fits && !(self.plan.joins_lines() && got > LONGEST_LINE) {
            return Ok(());
        }
        let name = String::from_utf8_lossy(self.plan.documents().known_name(document));
        let what = format!("{name} expands to {got} bytes, its size is {size}");
        Err(self.corpus.inconsistent_document(document, what).into())
    }
}

fn take(slot: &Mutex<Option<Output>>) -> Option<Output> {
    slot.lock().expect("no holder panics").take()
}
