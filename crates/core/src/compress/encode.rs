//! Writes the file: the final dictionary, then all sections in the order of the format page.

use super::budget::encoders;
use super::collect::{Collected, CollectedSegment};
use super::kept::{KeptPart, later_tokens};
use super::spill::{BuiltSegment, Spill};
use super::{CompressOptions, Summary};
use crate::error::CompressError;
use crate::format::SectionKind;
use crate::format::clusters::{Clusters, cluster_tokens};
use crate::format::container::ContainerWriter;
use crate::format::later;
use crate::format::segment::{self, Form};
use crate::format::word_counts::WordCounts;
use crate::format::{DocumentTable, Facts, Level, Sizes, dictionary, word_totals};
use crate::grammar::Grammar;
use crate::phrases;
use crate::progress::{Progress, Stage};
use crate::token::{Dictionary, TOKENISER_VERSION, TokenClass};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::Mutex;

/// Why the file cannot be written. Failures of the output are separate because only the caller knows
/// its name.
pub(super) enum WriteError {
    Output(io::Error),
    Other(CompressError),
}

impl<E: Into<CompressError>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// The sections of one segment, in the order of the file.
type Sections = Vec<(SectionKind, Vec<u8>)>;

type Writer<'a> = ContainerWriter<&'a mut (dyn Write + Send)>;

pub(super) fn write_file(
    collected: Collected,
    kept: Option<(&Dictionary, &KeptPart<'_>)>,
    spill: &Spill,
    options: &CompressOptions,
    out: &mut (dyn Write + Send),
    progress: &dyn Progress,
) -> Result<Summary, WriteError> {
    let Collected { interner, uses, documents, has_envelopes, segments, origin } = collected;
    let (dictionary, finals) = match kept {
        Some((old, _)) => old.extended(&interner, &uses)?,
        None => Dictionary::arrange(&interner, &uses)?,
    };
    drop(interner);
    let mut sizes = Sizes::default();
    segments.iter().for_each(|segment| sizes.add(&segment.facts().sizes));

    let mut writer = ContainerWriter::new(out).map_err(WriteError::Output)?;
    let encoder = Encoder::new(&segments, (&dictionary, &finals), kept, spill, options, progress)?;
    let at_once = encoder.segments_at_once(&documents);
    let (written, (document_bytes, dictionary_bytes)) = beside_one(
        segments.len(),
        || encoder.write_segments(at_once, &mut writer),
        || encoder.pack_shared(&documents, sizes.text_bytes),
    );
    let segments_len = written?;

    let totals = encoder.into_totals();
    let knows_totals = kept.is_none_or(|(_, kept)| kept.totals.is_some());
    let mut put = |kind, bytes: &[u8]| writer.section(kind, 0, bytes).map_err(WriteError::Output);
    if knows_totals && word_totals::is_worth(totals.len(), segments_len) {
        put(SectionKind::WordTotals, &totals)?;
    }
    if let Some(origin) = origin {
        put(SectionKind::Origin, &origin)?;
    }
    if let Some(threshold) = options.threshold {
        put(SectionKind::Threshold, &threshold.to_bytes())?;
    }
    put(SectionKind::Documents, &document_bytes)?;
    put(SectionKind::Dictionary, &dictionary_bytes)?;
    let facts = Facts {
        tokeniser: TOKENISER_VERSION,
        level: options.level,
        grammar: options.grammar,
        layer: options.layer,
        documents: documents.len() as u64,
        vocabulary: dictionary.len() as u64,
        vocabulary_words: (dictionary.len() - dictionary.ids(TokenClass::Separator).len()) as u64,
        has_envelopes,
        sizes,
        segments: segments.iter().map(|segment| *segment.facts()).collect(),
    };
    put(SectionKind::Facts, &facts.to_bytes())?;
    let (_, compressed_bytes) = writer.finish().map_err(WriteError::Output)?;
    Ok(Summary { facts, compressed_bytes })
}

/// Packs what all segments share at the same time as a single segment. Several segments keep the threads
/// busy without that, and take all the memory.
fn beside_one<A: Send, B: Send>(
    segments: usize,
    write_segments: impl FnOnce() -> A + Send,
    pack_shared: impl FnOnce() -> B + Send,
) -> (A, B) {
    if segments > 1 {
        (write_segments(), pack_shared())
    } else {
        rayon::join(write_segments, pack_shared)
    }
}

/// What encoding a segment needs, and the word totals that are gathered on the way.
struct Encoder<'a> {
    segments: &'a [CollectedSegment],
    dictionary: &'a Dictionary,
    /// The final id of each provisional one.
    finals: &'a [u32],
    /// Number of tokens in the dictionary of kept segments.
    old_tokens: usize,
    clusters: Clusters,
    spill: &'a Spill,
    options: &'a CompressOptions,
    progress: &'a dyn Progress,
    /// The grammar of the only segment, if it was loaded to find the clusters.
    only: Mutex<Option<Grammar>>,
    /// How often each word occurs in the corpus.
    totals: Mutex<Vec<u64>>,
}

impl<'a> Encoder<'a> {
    fn new(
        segments: &'a [CollectedSegment],
        (dictionary, finals): (&'a Dictionary, &'a [u32]),
        kept: Option<(&Dictionary, &KeptPart<'_>)>,
        spill: &'a Spill,
        options: &'a CompressOptions,
        progress: &'a dyn Progress,
    ) -> Result<Self, CompressError> {
        let mut encoder = Self {
            segments,
            dictionary,
            finals,
            old_tokens: kept.map_or(0, |(old, _)| old.len()),
            clusters: Clusters::single(dictionary.len()),
            spill,
            options,
            progress,
            only: Mutex::default(),
            totals: Mutex::new(vec![0; dictionary.words().len()]),
        };
        if let Some((old, kept)) = kept {
            encoder.clusters = kept.clusters_of(dictionary, finals);
            let words = dictionary.words().start as usize;
            let totals = encoder.totals.get_mut().expect("no holder panics");
            for (id, &total) in old.words().zip(kept.totals.iter().flatten()) {
                totals[finals[id as usize] as usize - words] = total;
            }
            return Ok(encoder);
        }
        // The largest segment represents all when tokens are divided into clusters.
        if let Some(largest) = encoder.largest().filter(|_| options.level != Level::Fast) {
            let grammar = encoder.load(largest)?;
            encoder.clusters = cluster_tokens(&grammar, dictionary, options.memory);
            encoder.only = Mutex::new((segments.len() == 1).then_some(grammar));
        }
        Ok(encoder)
    }

    /// The largest segment that is to be encoded.
    fn largest(&self) -> Option<&'a BuiltSegment> {
        self.built().max_by_key(|segment| segment.facts.sizes.symbols)
    }

    fn built(&self) -> impl Iterator<Item = &'a BuiltSegment> {
        self.segments.iter().filter_map(|segment| match segment {
            CollectedSegment::Built(segment) => Some(segment),
            CollectedSegment::Kept(_) => None,
        })
    }

    fn load(&self, segment: &BuiltSegment) -> Result<Grammar, CompressError> {
        self.spill.load(segment, self.finals, self.dictionary.len())
    }

    /// How many segments are encoded at the same time: one per thread, as far as memory allows.
    fn segments_at_once(&self, documents: &DocumentTable) -> usize {
        let Some(largest) = self.largest() else { return 1 };
        let totals = 8 * self.dictionary.words().len() as u64;
        let finals = 4 * self.finals.len() as u64;
        let held = self.dictionary.memory() + documents.memory() + finals + totals;
        let envelopes = self.built().map(|segment| segment.envelopes_len).max();
        let (vocabulary, sizes) = (self.dictionary.len() as u64, &largest.facts.sizes);
        let (memory, phrases) = (self.options.memory, self.options.phrases);
        encoders(memory, held, vocabulary, sizes, envelopes.unwrap_or(0), phrases)
            .min(rayon::current_num_threads())
    }

    /// Writes the sections of all segments. Returns how many bytes the grammars take.
    fn write_segments(&self, at_once: usize, writer: &mut Writer<'_>) -> Result<u64, WriteError> {
        let mut grammar_bytes = 0;
        let mut put = |kind, number, bytes: &[u8]| {
            if matches!(kind, SectionKind::Segment | SectionKind::Root) {
                grammar_bytes += bytes.len() as u64;
            }
            writer.section(kind, number, bytes).map_err(WriteError::Output)
        };
        let is_kept = |segment: &CollectedSegment| matches!(segment, CollectedSegment::Kept(_));
        let mut number = 0;
        for alike in self.segments.chunk_by(|a, b| !is_kept(a) && !is_kept(b)) {
            for group in alike.chunks(at_once) {
                self.progress.check()?;
                if let [CollectedSegment::Kept(segment)] = group {
                    for section in &segment.stored.sections {
                        put(section.kind, number, &segment.read(section)?)?;
                    }
                    let later = later_tokens(&segment.later, self.finals, self.old_tokens);
                    if !later.is_empty() {
                        let later = later::encode(&later, self.options.layer);
                        put(SectionKind::Later, number, &later)?;
                    }
                    self.progress.advance(Stage::Writing, segment.facts.sizes.text_bytes);
                    number += 1;
                    continue;
                }
                let encoded: Vec<Result<Sections, CompressError>> =
                    group.par_iter().filter_map(|segment| self.encode(segment)).collect();
                for sections in encoded {
                    for (kind, bytes) in sections? {
                        put(kind, number, &bytes)?;
                    }
                    number += 1;
                }
            }
        }
        Ok(grammar_bytes)
    }

    /// The sections of a segment that is not kept.
    fn encode(&self, segment: &CollectedSegment) -> Option<Result<Sections, CompressError>> {
        match segment {
            CollectedSegment::Built(segment) => Some(self.encode_built(segment)),
            CollectedSegment::Kept(_) => None,
        }
    }

    /// The sections of one segment.
    fn encode_built(&self, segment: &BuiltSegment) -> Result<Sections, CompressError> {
        let only = self.only.lock().expect("no holder panics").take();
        let grammar = only.map_or_else(|| self.load(segment), Ok)?;
        let form = Form {
            coding: segment::coding_of(self.options.level, &segment.facts.sizes),
            layer: self.options.layer,
            block: self.options.block_symbols.clamp(1, u32::MAX as usize),
            alone: self.segments.len() == 1,
        };
        let encoded = segment::encode(&grammar, self.dictionary, &self.clusters, form);
        let mut sections = vec![(SectionKind::Segment, encoded.segment)];
        sections.extend(encoded.root.into_iter().map(|block| (SectionKind::Root, block)));
        if self.options.index {
            let counts = WordCounts::new(&grammar, self.dictionary);
            let counts = counts.to_bytes(self.dictionary.len(), self.options.layer);
            sections.push((SectionKind::WordCounts, counts));
        }
        if self.options.phrases {
            let index = phrases::encode(&grammar, self.dictionary.words().start)?;
            sections.push((SectionKind::Phrases, index));
        }
        self.add_totals(&grammar);
        // Packing envelopes takes memory, so the grammar must be gone by then.
        drop(grammar);
        if let Some(envelopes) = self.spill.load_envelopes(segment)? {
            sections.push((SectionKind::Envelopes, envelopes.to_bytes(self.options.layer)));
        }
        self.progress.advance(Stage::Writing, segment.facts.sizes.text_bytes);
        Ok(sections)
    }

    fn add_totals(&self, grammar: &Grammar) {
        let uses = grammar.uses();
        let words = &uses[self.dictionary.words().start as usize..self.dictionary.len()];
        let mut totals = self.totals.lock().expect("no holder panics");
        totals.iter_mut().zip(words).for_each(|(total, &uses)| {
            *total = total.saturating_add(uses);
        });
    }

    /// The sections of the document table and of the dictionary.
    fn pack_shared(&self, documents: &DocumentTable, text_bytes: u64) -> (Vec<u8>, Vec<u8>) {
        let CompressOptions { layer, level, .. } = *self.options;
        let dictionary =
            dictionary::encode(self.dictionary, &self.clusters, layer, level, text_bytes);
        (documents.to_bytes(layer), dictionary)
    }

    /// The section of the word totals.
    fn into_totals(self) -> Vec<u8> {
        let totals = self.totals.into_inner().expect("no holder panics");
        word_totals::encode(&totals, self.options.layer)
    }
}
