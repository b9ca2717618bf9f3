//! What can be typed. Types only; the work is in `commands`.

use crate::analytics::args::{
    InvertedIndexArgs, RankedInvertedIndexArgs, SequenceCountArgs, SortArgs, TermVectorArgs,
    WordCountArgs,
};
use crate::analytics::tune::TuneArgs;
use crate::commands;
use crate::commands::bzip2::Bzip2Args;
use crate::gpu::args::GpuArgs;
use crate::size;
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::access::Phrase;
use zgram::analytics::{Case, View};
use zgram::store::{Store, Threshold};

/// Compress text into a grammar, get it back byte for byte, and look inside without unpacking.
///
/// A corpus (folders, files, tar archives, JSON Lines, standard input) becomes one .zgram file:
/// smaller than general-purpose compressors make it, and ready for analytics as it is.
///
/// Exit codes: 0 success, 1 nothing found (no such document or word), 2 error, 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "zgram", version, propagate_version = true, max_term_width = 100)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compress texts/ -o texts.zgram       a folder into one file
  zgram ls texts.zgram                       what is in it
  zgram cat texts.zgram 'letters/*.txt'      some of it, on standard output
  zgram decompress texts.zgram -o copy/      all of it, byte for byte
  zgram word-count texts.zgram --top 20      its most frequent words, without unpacking
  zgram search texts.zgram white whale       where a phrase stands
  zgram append texts.zgram notes.txt 'more'  an edit, on disk at once

ENVIRONMENT:
  NO_COLOR           if set, output has no colours (unless --color always)
  RAYON_NUM_THREADS  number of threads where --threads is not given
  ZGRAM_ENGINE       what --engine is where it is not given
  ZGRAM_ADAPTER      what --adapter is where it is not given
  TMPDIR             where intermediate data goes when compressing to standard output")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) display: Display,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to show beside the results.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display")]
pub(crate) struct Display {
    /// Say nothing but errors: no progress, no summary, no notices
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Say more: the time of each stage; for `info` also segments and sections
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    #[default]
    Auto,
    /// Also into files and pipes.
    Always,
    /// Not at all.
    Never,
}

impl Color {
    /// Makes this the rule for everything printed from now on.
    pub(crate) fn write_global(self) {
        match self {
            Self::Auto => anstream::ColorChoice::Auto,
            Self::Always => anstream::ColorChoice::Always,
            Self::Never => anstream::ColorChoice::Never,
        }
        .write_global();
    }
}

// Only the options of the command that was typed are put together, for the sake of start and memory.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    Compress(CompressArgs),
    Decompress(DecompressArgs),
    Cat(CatArgs),
    Ls(LsArgs),
    Info(InfoArgs),
    Verify(VerifyArgs),
    WordCount(WordCountArgs),
    Sort(SortArgs),
    InvertedIndex(InvertedIndexArgs),
    TermVector(TermVectorArgs),
    SequenceCount(SequenceCountArgs),
    RankedInvertedIndex(RankedInvertedIndexArgs),
    Tune(TuneArgs),
    Extract(commands::extract::ExtractArgs),
    Search(commands::search::SearchArgs),
    Count(commands::count::CountArgs),
    Insert(commands::insert::InsertArgs),
    Append(commands::append::AppendArgs),
    Replace(commands::replace::ReplaceArgs),
    Delete(commands::delete::DeleteArgs),
    Add(commands::add::AddArgs),
    Rm(commands::rm::RmArgs),
    Rename(commands::rename::RenameArgs),
    Batch(commands::batch::BatchArgs),
    Compact(commands::compact::CompactArgs),
    Bzip2(Bzip2Args),
    Gpu(GpuArgs),
    Generate(GenerateArgs),
}

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
    /// Text in a segment, the unit of parallel work and of loading; such as 64M
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

/// Write documents to standard output
///
/// One after the other, in the order given; those of a pattern in the order of the corpus.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram cat texts.zgram notes.txt
  zgram cat texts.zgram '*.txt' | wc -w
  zgram cat data.zgram data.jsonl:17         the text of line 17")]
pub(crate) struct CatArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Names; else patterns, where `*` stands for anything, `/` included
    #[arg(required = true, value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
}

/// List the documents
///
/// A table on a terminal; otherwise lines of size in bytes, tab, name (with tab, line ends and
/// backslash written \\t, \\n, \\r, \\\\).
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram ls texts.zgram
  zgram ls texts.zgram '*.txt' --format json
  zgram ls texts.zgram | sort -n | tail      the largest documents")]
pub(crate) struct LsArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Show sizes and other facts of a corpus, without reading its text
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram info texts.zgram
  zgram info texts.zgram --segments
  zgram info texts.zgram --format json | jq .vocabulary")]
pub(crate) struct InfoArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Also show each segment, and each section of the file
    #[arg(long)]
    pub(crate) segments: bool,
    /// How to print; JSON always has segments and sections
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Check every checksum, every section and the size of every document
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram verify texts.zgram
  zgram verify -q texts.zgram && echo good")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Generate shell completions or the manual
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram generate completions bash > ~/.local/share/bash-completion/completions/zgram
  zgram generate man | man -l -
  zgram generate man --output man1/          a page for each command")]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generated {
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// The manual page, on standard output; or the pages of all commands, in a folder
    Man {
        /// Write zgram.1, zgram-compress.1 and so on to this folder
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
}

/// The corpus a command works on.
#[derive(Debug, Args)]
pub(crate) struct CorpusFile {
    /// A .zgram file; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: PathBuf,
}

/// Documents chosen by name.
#[derive(Debug, Args)]
pub(crate) struct Documents {
    /// Names; else patterns, where `*` stands for anything, `/` included. All if none is given
    #[arg(value_name = "DOC")]
    pub(crate) chosen: Vec<OsString>,
}

/// How many threads may work.
#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Number of threads; as many as there are cores if not given
    #[arg(short = 't', long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    count: Option<u16>,
}

impl Threads {
    /// The number, or 0 for one a core.
    pub(crate) fn or_all(&self) -> usize {
        self.count.map_or(0, usize::from)
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people on a terminal, for programs elsewhere
    #[default]
    Auto,
    /// Aligned columns
    Table,
    /// One JSON value
    Json,
    /// One JSON object a line
    Ndjson,
    /// Fields with tabs between them, no header
    Tsv,
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

/// Which differences between words do not matter.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SpellingArgs {
    /// Find words whatever their case, by Unicode case folding
    #[arg(long)]
    pub(crate) fold: bool,
    /// Find words whatever their case, by their lower-case forms
    #[arg(long, conflicts_with = "fold")]
    pub(crate) lower: bool,
}

impl SpellingArgs {
    /// All phrases to look for.
    pub(crate) fn phrases(
        self,
        store: &Store,
        phrase: Phrase,
    ) -> Result<Vec<Phrase>, zgram::Error> {
        let case = match (self.fold, self.lower) {
            (true, _) => Case::Fold,
            (_, true) => Case::Lower,
            _ => return Ok(vec![phrase]),
        };
        store.spellings(&phrase, &View { case, ..View::default() })
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
