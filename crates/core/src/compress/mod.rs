//! Documents in, a corpus file out.
//!
//! ```text
//! Sources ─► Collector: segments of bounded size
//!                │ batches of text, cut in parallel: tokens, provisional ids
//!                │ one segment after the other, as memory allows
//!                ▼
//!            builders in parallel ─► Spill: grammars with provisional ids, on disk
//!                                       │ when all is read: final dictionary and clusters
//!                                       ▼
//!                                   encoders in parallel ─► container, in order
//! ```
//!
//! The file does not depend on the number of threads.

mod budget;
mod collect;
mod cutting;
mod encode;
mod partition;
mod spill;

pub use partition::Partition;

use crate::durable::{folder_of, replace_file};
use crate::error::Error;
use crate::format::segment::BLOCK_SYMBOLS;
use crate::format::threshold::Threshold;
use crate::format::{Facts, GrammarKind, Layer, Level};
use crate::grammar::GrammarBuilder;
use crate::grammar::repair::RePair;
use crate::grammar::sequitur::Sequitur;
use crate::input::Sources;
use crate::progress::{Progress, Stage};
use crate::token::Dictionary;
use budget::Budget;
pub(crate) use collect::{Collector, Taken};
use spill::Spill;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How to compress.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CompressOptions {
    /// Size against loading speed.
    pub level: Level,
    /// What builds the grammar.
    pub grammar: GrammarKind,
    /// The second layer.
    pub layer: Layer,
    /// Number of threads; 0 for one a core.
    pub threads: usize,
    /// Memory ceiling in bytes.
    pub memory: u64,
    /// Bytes of text a segment should hold. Less if the memory ceiling asks for it.
    pub segment_size: u64,
    /// Symbols of the root that are coded together, at levels whose root is read block by block.
    pub block_symbols: usize,
    /// Stores how often each word stands in each document, so that counting need not begin with
    /// building that.
    pub index: bool,
    /// From when on edits are compacted, if that is to stand in the file.
    pub threshold: Option<Threshold>,
}

impl Default for CompressOptions {
    fn default() -> Self {
        Self {
            level: Level::default(),
            grammar: GrammarKind::default(),
            layer: Layer::default(),
            threads: 0,
            memory: 4 << 30,
            segment_size: 128 << 20,
            block_symbols: BLOCK_SYMBOLS,
            index: false,
            threshold: None,
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
}

/// What was done.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// The new corpus.
    pub facts: Facts,
    /// Its size in bytes.
    pub compressed_bytes: u64,
}

/// Compresses a corpus into `path`, which is replaced only when everything is safely on disk.
///
/// # Errors
/// When reading or writing fails, the memory ceiling is too low, or `progress` asks to stop. The
/// old file, if any, is then as it was and no temporary file is left.
pub fn compress(
    sources: &Sources,
    path: impl AsRef<Path>,
    options: &CompressOptions,
    progress: &dyn Progress,
) -> Result<Summary, Error> {
    let path = path.as_ref();
    let folder = folder_of(path);
    replace_file(path, |out| compress_to(sources, out, folder, options, progress))
}

/// Compresses a corpus to a stream, such as standard output. `scratch` is a folder for grammars
/// that wait for the dictionary to be complete.
///
/// # Errors
/// As for [`compress`]; what has been written by then is worthless.
pub fn compress_to(
    sources: &Sources,
    out: &mut (dyn Write + Send),
    scratch: impl AsRef<Path>,
    options: &CompressOptions,
    progress: &dyn Progress,
) -> Result<Summary, Error> {
    let scratch = scratch.as_ref();
    if let Some(total) = sources.size_hint() {
        for stage in [Stage::Reading, Stage::Building, Stage::Writing] {
            progress.expect(stage, total);
        }
    }
    let from = Start { dictionary: None, origin: None };
    run(from, out, scratch, options, progress, |collector| {
        sources.read_lines_within(collector.longest_line(), collector, progress)
    })
}

/// What a corpus begins with that is made of another.
pub(crate) struct Start<'a> {
    /// Tokens of segments that are taken over; they keep their ids until all is read.
    pub(crate) dictionary: Option<&'a Dictionary>,
    /// The section that tells where it comes from.
    pub(crate) origin: Option<Vec<u8>>,
}

/// Writes a corpus of whatever `feed` hands to the collector.
pub(crate) fn run(
    from: Start<'_>,
    out: &mut (dyn Write + Send),
    scratch: &Path,
    options: &CompressOptions,
    progress: &dyn Progress,
    feed: impl FnOnce(&mut Collector<'_, '_>) -> Result<(), Error>,
) -> Result<Summary, Error> {
    options.layer.check()?;
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(options.threads)
        .build()
        .map_err(|error| Error::io("start threads for", scratch)(io::Error::other(error)))?;
    let spill = Spill::create(scratch)?;
    let budget = Budget::new(options.memory, options.segment_size, pool.current_num_threads());
    let builder = options.builder();
    let mut collected = std::thread::scope(|scope| {
        let mut collector = Collector::new(scope, &pool, &*builder, &spill, &budget, progress);
        if let Some(dictionary) = from.dictionary {
            collector.begin_with(dictionary);
        }
        feed(&mut collector)?;
        collector.finish()
    })?;
    collected.origin = from.origin;
    pool.install(|| encode::write_file(collected, &spill, options, out, progress)).map_err(
        |error| match error {
            encode::WriteError::Output(source) => {
                Error::Io { action: "write", path: PathBuf::from("the output"), source }
            }
            encode::WriteError::Other(error) => error,
        },
    )
}
