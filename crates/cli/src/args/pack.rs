//! Arguments of the commands that pack and unpack a corpus.

use super::shared::{CorpusFile, Documents, Format, Threads};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;
use zgram::store::Threshold;

/// Compress files, folders, archives or standard input into one .zgram file
///
/// Every file is a document, named by its path. Tar archives are unpacked, and .gz, .zst, .bz2 and
/// .xz files decompressed, when they are given by name or on standard input; files inside folders
/// stay as they are, unless --decompress-all asks for their text. The file is written beside its
/// place and moved there when complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compress texts/ -o texts.zgram
  zgram compress --level max --threads 8 texts/ more.tar.zst -o all.zgram
  zgram compress --jsonl text data.jsonl.gz -o data.zgram     each line a document
  zgram compress --decompress-all logs/ -o logs.zgram         app.log.1.gz as app.log.1
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
    /// Size against loading speed; grammar and answers are the same
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) level: Level,
    /// What builds the grammar
    #[arg(short, long, value_enum, default_value_t)]
    pub(crate) grammar: Grammar,
    /// The general-purpose compressor under the grammar
    #[arg(long, value_enum, default_value_t)]
    pub(crate) layer: Layer,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory ceiling, such as 512M or 4G
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) memory: Option<u64>,
    /// Text per segment, such as 64M; by default as few segments as --memory allows
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) segment_size: Option<u64>,
    /// Read JSON Lines: each line is a document, its text is in FIELD (`meta.text` reaches deeper)
    #[arg(short, long, value_name = "FIELD")]
    pub(crate) jsonl: Option<String>,
    /// Store word counts of each document, for counting without building them first
    #[arg(long)]
    pub(crate) index: bool,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    /// Leave out what .gitignore files in the folders exclude, and .git
    #[arg(long)]
    pub(crate) gitignore: bool,
    /// Decompress files found inside folders and archives too; they come back as their text
    #[arg(long)]
    pub(crate) decompress_all: bool,
    /// Take compressed files as they are
    #[arg(long, conflicts_with = "decompress_all")]
    pub(crate) no_decompress: bool,
    /// Take tar archives as they are
    #[arg(long)]
    pub(crate) no_unpack: bool,
    /// Print the summary on standard output, for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Write documents back to files below a folder
///
/// All of them, or those chosen. Files that exist are left alone without --force, and names that
/// would lead out of the folder are refused; both before anything is written. JSON Lines files come
/// back whole; chosen lines give their text.
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
    /// The folder to write to; made if missing
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// How hard to compress.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Level {
    /// Loads fastest, about the size of zstd -19
    Fast,
    /// Smaller than xz -9e on text, still loads fast
    #[default]
    Default,
    /// As small as it gets, loads slowly
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

/// What builds the grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Grammar {
    /// One pass, every pair of neighbours unique
    Sequitur,
    /// The most frequent pairs first
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
    /// Deflate, for readers that have nothing newer
    Gzip,
    /// Block sorting: smaller files, slower to load
    Bwt,
    /// Only the grammar's own coding
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

/// From when on edits are compacted by themselves.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct ThresholdArgs {
    /// Compact edits by themselves once they bring so much new text, such as 16M, or `never`
    #[arg(long, value_name = "SIZE", value_parser = size::parse_threshold)]
    pub(crate) threshold: Option<u64>,
    /// The same for their number, or `never`
    #[arg(long, value_name = "N", value_parser = size::parse_threshold)]
    pub(crate) threshold_edits: Option<u64>,
}

impl ThresholdArgs {
    /// What they make of a threshold; `None` if they are not given.
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
