//! Documents in, a corpus file out.
//!
//! ```text
//! Sources ─► Collector: segments that fit in memory
//!                │ blocks of text, split into tokens on all threads: provisional ids
//!                │ one segment after the other, as memory allows
//!                ▼
//!            builders in parallel ─► Spill: grammars with provisional ids, on disk
//!                                       │ when all is read: final dictionary and clusters
//!                                       ▼
//!                                   encoders in parallel ─► container, in order
//! ```
//!
//! The file depends on the input and the options, never on the number of threads.

mod blocks;
mod budget;
mod build;
mod collect;
mod documents;
mod encode;
mod kept;
mod partition;
mod spill;

use crate::beside;
use crate::durable::{folder_of, replace_file};
use crate::error::{CompressError, FileError};
use crate::format::segment::BLOCK_SYMBOLS;
use crate::format::threshold::Threshold;
use crate::format::{Facts, GrammarKind, Layer, Level};
use crate::grammar::GrammarBuilder;
use crate::grammar::re_pair::RePair;
use crate::grammar::sequitur::Sequitur;
use crate::input::Sources;
use crate::phrases;
use crate::progress::{Progress, Stage};
use crate::threads::pool;
use crate::token::Dictionary;
use budget::{Budget, longest_line};
pub(crate) use collect::{Collector, ReusedSegment};
pub use documents::compress_documents;
pub(crate) use kept::{KeptPart, KeptSegment};
use partition::Partition;
use spill::Spill;
use std::io::Write;
use std::path::Path;

/// How to compress.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompressOptions {
    /// Trades file size for loading speed.
    pub level: Level,
    /// The algorithm that builds the grammar.
    pub grammar: GrammarKind,
    /// The second layer.
    pub layer: Layer,
    /// Number of threads, at most 1,024; 0 for one per core.
    pub threads: usize,
    /// Memory ceiling in bytes.
    pub memory: u64,
    /// Bytes of text per segment, fewer if the memory ceiling demands it. 0 makes as few segments as
    /// the ceiling allows, of equal size if the size of the input is known.
    pub segment_size: u64,
    /// Symbols of the root that are coded together, at levels whose root is read block by block.
    pub block_symbols: usize,
    /// Stores how often each word occurs in each document, so that counting does not have to compute
    /// that first.
    pub index: bool,
    /// Stores a phrase index for each segment, with which phrases of any length are counted and found
    /// in microseconds, also without loading segments. Takes about a fifth of the size of prose, and a
    /// hundredth of that of logs.
    pub phrases: bool,
    /// When edits are compacted, if the file is to say so.
    pub threshold: Option<Threshold>,
    /// Allows [`compress`] to replace a corpus file although its journal has pending edits. The journal
    /// stays and does not belong to the new file, so the caller must remove it.
    pub discard_edits: bool,
}

impl Default for CompressOptions {
    fn default() -> Self {
        Self {
            level: Level::default(),
            grammar: GrammarKind::default(),
            layer: Layer::default(),
            threads: 0,
            memory: 4 << 30,
            segment_size: 0,
            block_symbols: BLOCK_SYMBOLS,
            index: false,
            phrases: false,
            threshold: None,
            discard_edits: false,
        }
    }
}

impl CompressOptions {
    fn builder(&self) -> Box<dyn GrammarBuilder> {
        match self.grammar {
            GrammarKind::Sequitur => Box::new(Sequitur),
            GrammarKind::RePair => Box::new(RePair::default()),
        }
    }

    /// Where segments end, for about `total` bytes of text if that is known.
    fn partition(&self, total: Option<u64>) -> Partition {
        match self.segment_size {
            0 => Partition::automatic(self.memory, self.grammar, total),
            size => Partition::new(size),
        }
    }
}

/// The result of compressing.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The new corpus.
    pub facts: Facts,
    /// Its size in bytes.
    pub compressed_bytes: u64,
}

/// Compresses a corpus into `path`. An existing file is replaced only once all of the new one is on
/// disk.
///
/// # Errors
/// When reading or writing fails, the memory ceiling is too low, or `progress` asks to stop;
/// [`CompressError::PendingEdits`] when a journal with edits lies beside `path`. The old file, if any, is then
/// unchanged and no temporary file is left.
pub fn compress(
    sources: &Sources,
    path: impl AsRef<Path>,
    options: &CompressOptions,
    progress: &dyn Progress,
) -> Result<Summary, CompressError> {
    let path = path.as_ref();
    if beside::has_edits(path) && !options.discard_edits {
        return Err(CompressError::PendingEdits { journal: beside::journal(path) });
    }
    compress_in_place(sources, path, options, None, progress)
}

/// Replaces the file at `path`, whatever journal is beside it. `origin` is the new file's section ORIG.
pub(crate) fn compress_in_place(
    sources: &Sources,
    path: &Path,
    options: &CompressOptions,
    origin: Option<Vec<u8>>,
    progress: &dyn Progress,
) -> Result<Summary, CompressError> {
    let folder = folder_of(path);
    replace_file(path, |out| compress_with(sources, out, folder, options, origin, progress))
}

/// Compresses a corpus to a stream, such as standard output. `scratch` is a folder for grammars that
/// wait until the dictionary is complete.
///
/// # Errors
/// As for [`compress`]; what was written by then is useless.
pub fn compress_to(
    sources: &Sources,
    out: &mut (dyn Write + Send),
    scratch: impl AsRef<Path>,
    options: &CompressOptions,
    progress: &dyn Progress,
) -> Result<Summary, CompressError> {
    compress_with(sources, out, scratch.as_ref(), options, None, progress)
}

fn compress_with(
    sources: &Sources,
    out: &mut (dyn Write + Send),
    scratch: &Path,
    options: &CompressOptions,
    origin: Option<Vec<u8>>,
    progress: &dyn Progress,
) -> Result<Summary, CompressError> {
    let total = sources.size_hint();
    if let Some(total) = total {
        for stage in [Stage::Reading, Stage::Building, Stage::Writing] {
            progress.expect(stage, total);
        }
    }
    let start = Start { total, has_lines: sources.has_lines(), origin, ..Start::default() };
    write_corpus(start, out, scratch, options, progress, |collector| {
        sources.read_lines_within(longest_line(options.memory), collector, progress)
    })
}

/// What is known of a corpus before its documents come.
#[derive(Default)]
pub(crate) struct Start<'a> {
    /// About how many bytes of text there are, if that is known.
    pub(crate) total: Option<u64>,
    /// Whether documents are lines of JSON.
    pub(crate) has_lines: bool,
    /// The tokens of segments that are reused or kept; they keep their ids until everything is read.
    pub(crate) dictionary: Option<&'a Dictionary>,
    /// If segments are kept as they are.
    pub(crate) kept: Option<KeptPart<'a>>,
    /// The section ORIG: which corpus this one is made from.
    pub(crate) origin: Option<Vec<u8>>,
}

/// Writes a corpus of the documents and segments that `feed` hands to the collector.
pub(crate) fn write_corpus<E: From<CompressError>>(
    start: Start<'_>,
    out: &mut (dyn Write + Send),
    scratch: &Path,
    options: &CompressOptions,
    progress: &dyn Progress,
    feed: impl FnOnce(&mut Collector<'_, '_>) -> Result<(), E>,
) -> Result<Summary, E> {
    options.layer.check().map_err(CompressError::from)?;
    if options.phrases {
        phrases::check_feature().map_err(CompressError::from)?;
    }
    let pool = pool(options.threads)
        .map_err(FileError::on("start threads to write to", scratch))
        .map_err(CompressError::from)?;
    let spill = Spill::create(scratch)?;
    let budget = Budget::new(options.memory, pool.current_num_threads(), start.has_lines);
    let limits = (&budget, options.partition(start.total));
    let builder = options.builder();
    let mut collected = std::thread::scope(|scope| {
        let mut collector = Collector::new(scope, &pool, &*builder, &spill, limits, progress);
        if let Some(dictionary) = start.dictionary {
            collector.begin_with(dictionary);
        }
        feed(&mut collector)?;
        Ok::<_, E>(collector.finish()?)
    })?;
    collected.origin = start.origin;
    let kept = start.dictionary.zip(start.kept.as_ref());
    let written =
        pool.install(|| encode::write_file(collected, kept, &spill, options, out, progress));
    Ok(written.map_err(|error| match error {
        encode::WriteError::Output(source) => FileError::on("write", "the output")(source).into(),
        encode::WriteError::Other(error) => error,
    })?)
}
