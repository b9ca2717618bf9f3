//! The final dictionary, and all sections in their order.

use super::budget::encoders;
use super::collect::Collected;
use super::spill::Spill;
use super::{CompressOptions, Summary};
use crate::error::Error;
use crate::format::SectionKind;
use crate::format::clusters::{Clusters, cluster_tokens};
use crate::format::container::ContainerWriter;
use crate::format::segment::{self, Form};
use crate::format::word_counts::WordCounts;
use crate::format::{Facts, Level, Sizes, dictionary, word_totals};
use crate::progress::{Progress, Stage};
use crate::token::{Dictionary, TOKENISER_VERSION, TokenClass};
use rayon::prelude::*;
use std::io::{self, Write};
use std::sync::Mutex;

/// Failures of the output are told apart: only the caller knows its name.
pub(super) enum WriteError {
    Output(io::Error),
    Other(Error),
}

impl<E: Into<Error>> From<E> for WriteError {
    fn from(error: E) -> Self {
        Self::Other(error.into())
    }
}

/// A segment's sections.
type Encoded = Vec<(SectionKind, Vec<u8>)>;

pub(super) fn write_file(
    collected: Collected,
    spill: &Spill,
    options: &CompressOptions,
    out: &mut (dyn Write + Send),
    progress: &dyn Progress,
) -> Result<Summary, WriteError> {
    let Collected { interner, uses, documents, has_envelopes, segments, origin } = collected;
    let (dictionary, finals) = Dictionary::arrange(&interner, &uses)?;
    drop(interner);

    // The largest segment stands for all when tokens are divided into clusters.
    let largest = (0..segments.len()).max_by_key(|&at| segments[at].facts.sizes.symbols);
    let load = |segment| spill.load(segment, &finals, dictionary.len());
    // If it is the only one it need not be loaded twice.
    let mut only = None;
    let clusters = match (options.level, largest) {
        (Level::Fast, _) | (_, None) => Clusters::single(dictionary.len()),
        (_, Some(at)) => {
            let grammar = load(&segments[at])?;
            let clusters = cluster_tokens(&grammar, &dictionary, options.memory);
            only = (segments.len() == 1).then_some(grammar);
            clusters
        }
    };
    let only = Mutex::new(only);
    let at_once = largest.map_or(1, |at| {
        let totals = 8 * dictionary.words().len() as u64;
        let held = dictionary.memory() + documents.memory() + 4 * finals.len() as u64 + totals;
        let largest = &segments[at].facts.sizes;
        let envelopes = segments.iter().map(|segment| segment.envelopes_len).max().unwrap_or(0);
        encoders(options.memory, held, dictionary.len() as u64, largest, envelopes)
            .min(rayon::current_num_threads())
    });
    let mut writer = ContainerWriter::new(out).map_err(WriteError::Output)?;
    let totals = Mutex::new(vec![0u64; dictionary.words().len()]);
    let mut segments_len = 0;
    let mut write_segments = || -> Result<(), WriteError> {
        // As many segments at a time as there are threads, and memory.
        for (batch, numbers) in segments.chunks(at_once).zip((0u32..).step_by(at_once)) {
            progress.check()?;
            let encoded: Vec<Result<Encoded, Error>> = batch
                .par_iter()
                .map(|segment| {
                    let only = only.lock().expect("no holder panics").take();
                    let grammar = only.map_or_else(|| load(segment), Ok)?;
                    let form = Form {
                        coding: segment::coding_of(options.level, &segment.facts.sizes),
                        layer: options.layer,
                        block: options.block_symbols.clamp(1, u32::MAX as usize),
                        alone: segments.len() == 1,
                    };
                    let encoded = segment::encode(&grammar, &dictionary, &clusters, form);
                    let mut sections = vec![(SectionKind::Segment, encoded.segment)];
                    let blocks = encoded.root.into_iter();
                    sections.extend(blocks.map(|block| (SectionKind::Root, block)));
                    if options.index {
                        let counts = WordCounts::new(&grammar, &dictionary);
                        let counts = counts.to_bytes(dictionary.len(), options.layer);
                        sections.push((SectionKind::WordCounts, counts));
                    }
                    let uses = grammar.uses();
                    let words = &uses[dictionary.words().start as usize..dictionary.len()];
                    let mut totals = totals.lock().expect("no holder panics");
                    totals.iter_mut().zip(words).for_each(|(total, &uses)| {
                        *total = total.saturating_add(uses);
                    });
                    drop((totals, uses, grammar));
                    if let Some(envelopes) = spill.load_envelopes(segment)? {
                        sections.push((SectionKind::Envelopes, envelopes.to_bytes(options.layer)));
                    }
                    progress.advance(Stage::Writing, segment.facts.sizes.text_bytes);
                    Ok(sections)
                })
                .collect();
            for (sections, number) in encoded.into_iter().zip(numbers..) {
                for (kind, bytes) in sections? {
                    if matches!(kind, SectionKind::Segment | SectionKind::Root) {
                        segments_len += bytes.len() as u64;
                    }
                    writer.section(kind, number, &bytes).map_err(WriteError::Output)?;
                }
            }
        }
        Ok(())
    };
    let mut sizes = Sizes::default();
    segments.iter().for_each(|segment| sizes.add(&segment.facts.sizes));
    let pack_shared = || {
        let (layer, level) = (options.layer, options.level);
        (
            documents.to_bytes(layer),
            dictionary::encode(&dictionary, &clusters, layer, level, sizes.text_bytes),
        )
    };
    // What belongs to all segments is packed beside a single one. Several keep the threads busy by
    // themselves, in as much memory as there is.
    let (document_bytes, dictionary_bytes) = if segments.len() > 1 {
        write_segments()?;
        pack_shared()
    } else {
        let (written, packed) = rayon::join(&mut write_segments, pack_shared);
        written?;
        packed
    };

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
        segments: segments.iter().map(|segment| segment.facts).collect(),
    };
    let totals = totals.into_inner().expect("no holder panics");
    let totals = word_totals::encode(&totals, options.layer);
    if word_totals::is_worth(totals.len(), segments_len) {
        writer.section(SectionKind::WordTotals, 0, &totals).map_err(WriteError::Output)?;
    }
    if let Some(origin) = origin {
        writer.section(SectionKind::Origin, 0, &origin).map_err(WriteError::Output)?;
    }
    if let Some(threshold) = options.threshold {
        let bytes = threshold.to_bytes();
        writer.section(SectionKind::Threshold, 0, &bytes).map_err(WriteError::Output)?;
    }
    for (kind, bytes) in [
        (SectionKind::Documents, document_bytes),
        (SectionKind::Dictionary, dictionary_bytes),
        (SectionKind::Facts, facts.to_bytes()),
    ] {
        writer.section(kind, 0, &bytes).map_err(WriteError::Output)?;
    }
    let (_, compressed_bytes) = writer.finish().map_err(WriteError::Output)?;
    Ok(Summary { facts, compressed_bytes })
}
