//! Arguments of the commands that pack and unpack a corpus.

use super::shared::{CorpusFile, Documents, Format, Threads};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use zgram::store::Threshold;

/// Compress files, folders or archives into a .zgram file
///
/// Every file becomes a document, named by its path. Tar archives given by name or on standard input
/// are unpacked, and .gz, .zst, .bz2 and .xz files decompressed. Compressed files inside folders are
/// stored as they are, unless --decompress-all is given. An old output file is replaced only when the
/// new one is complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compress texts/ -o texts.zgram
  zgram compress --level max --threads 8 texts/ more.tar.zst -o all.zgram
  zgram compress --jsonl text data.jsonl.gz -o data.zgram     one document per line
  zgram compress --decompress-all logs/ -o logs.zgram         app.log.1.gz becomes app.log.1
  tar c texts | zgram compress - -o - > texts.zgram")]
pub(crate) struct CompressArgs {
    /// Files, folders, tar archives; `-` is standard input
    #[arg(required = true, value_name = "PATH", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,
    /// The file to write; `-` is standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Trade size against loading speed; results are identical
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) level: Level,
    /// Algorithm that builds the grammar
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) grammar: Grammar,
    /// General-purpose compressor applied to the encoded grammar
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layer: Layer,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory limit, such as 512M; default: 4G
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) memory: Option<u64>,
    /// Text per segment, such as 64M; default: as few segments as --memory allows
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) segment_size: Option<u64>,
    /// Read JSON Lines: one document per line, with its text in FIELD (`meta.text` for nested fields)
    #[arg(short, long, value_name = "FIELD")]
    pub(crate) jsonl: Option<String>,
    /// Store the word counts of each document, for faster `count`, `term-vector`, `matrix` and `rank`
    #[arg(long)]
    pub(crate) index: bool,
    /// Store phrase indexes, for `count`, `search`, `next` and `trace` in microseconds
    #[arg(long)]
    pub(crate) phrases: bool,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    /// Skip files that .gitignore files in the folders exclude, and .git
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Also decompress files inside folders and archives; decompress restores their text
    #[arg(long)]
    pub(crate) decompress_all: bool,
    /// Store compressed files as they are
    #[arg(long, conflicts_with = "decompress_all")]
    pub(crate) no_decompress: bool,
    /// Store tar archives as they are
    #[arg(long)]
    pub(crate) no_unpack: bool,
    /// Print the summary on standard output, in a format for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Write documents back to files below a folder
///
/// Restores all documents, or those named. Before anything is written, it refuses to replace files
/// (unless --force is given) and to write outside the folder. JSON Lines files are restored whole;
/// a line that is named is written as a file with its text.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram decompress texts.zgram -o copy/
  zgram decompress texts.zgram 'letters/*' notes.txt -o some/
  ssh host cat texts.zgram | zgram decompress - -o copy/")]
pub(crate) struct DecompressArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// The folder to write to; created if missing
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// Size against speed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Loads fastest; about the size of zstd -19
    Fast,
    /// Smaller than xz -9e on text; still loads fast
    #[default]
    Default,
    /// Smallest; loads slowly
    Max,
}

impl From<Level> for zgram::format::Level {
    fn from(level: Level) -> Self {
        match level {
            Level::Fast => Self::Fast,
            Level::Default => Self::Default,
            Level::Max => Self::Max,
        }
    }
}

/// The algorithm that builds the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Grammar {
    /// Sequitur: one pass, no pair of symbols occurs twice
    Sequitur,
    /// Re-Pair: replaces the most frequent pair first
    #[default]
    Repair,
}

impl From<Grammar> for zgram::format::GrammarKind {
    fn from(grammar: Grammar) -> Self {
        match grammar {
            Grammar::Sequitur => Self::Sequitur,
            Grammar::Repair => Self::RePair,
        }
    }
}

/// The second layer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Layer {
    /// Zstandard
    #[default]
    Zstd,
    /// Deflate, for readers without Zstandard
    Gzip,
    /// Block sorting: smaller files that load slower
    Bwt,
    /// None: only the grammar's own coding
    None,
}

impl From<Layer> for zgram::format::Layer {
    fn from(layer: Layer) -> Self {
        match layer {
            Layer::Zstd => Self::Zstd,
            Layer::Gzip => Self::Gzip,
            Layer::Bwt => Self::Bwt,
            Layer::None => Self::None,
        }
    }
}

/// When edits are compacted automatically.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThresholdArgs {
    /// Compact automatically once pending edits add this much text, such as 16M, or `never`
    #[arg(long, value_name = "SIZE", value_parser = size::parse_threshold)]
    pub(crate) threshold: Option<u64>,
    /// Compact automatically after this many edits, or `never`
    #[arg(long, value_name = "N", value_parser = size::parse_threshold)]
    pub(crate) threshold_edits: Option<u64>,
}

impl ThresholdArgs {
    /// The threshold with the given values replaced; `None` if neither is given.
    pub(crate) fn change(self, before: Threshold) -> Option<Threshold> {
        if self.threshold.is_none() && self.threshold_edits.is_none() {
            return None;
        }
        Some(Threshold {
            edits: self.threshold_edits.unwrap_or(before.edits),
            bytes: self.threshold.unwrap_or(before.bytes),
        })
    }
}
