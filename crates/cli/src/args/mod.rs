//! What can be typed: the types of all arguments, one file per family of commands.

mod bzip2;
mod edit;
pub(crate) mod gpu;
mod maintain;
mod pack;
mod parse;
mod read;
mod search;
mod shared;
pub(crate) mod tasks;

pub(crate) use bzip2::Bzip2Args;
pub(crate) use edit::{
    AddArgs, AppendArgs, BatchArgs, DeleteArgs, InsertArgs, RenameArgs, ReplaceArgs, RmArgs,
};
pub(crate) use maintain::{CompactArgs, GenerateArgs, Generated, GpuArgs, TuneArgs, VerifyArgs};
pub(crate) use pack::{CompressArgs, DecompressArgs};
pub(crate) use parse::parse;
pub(crate) use read::{CatArgs, ExtractArgs, InfoArgs, LsArgs};
pub(crate) use search::{CountArgs, SearchArgs, SpellingArgs};
pub(crate) use shared::{CorpusFile, Format};

use clap::{Args, Parser, Subcommand, ValueEnum};
use tasks::{
    InvertedIndexArgs, RankedInvertedIndexArgs, SequenceCountArgs, SortArgs, TermVectorArgs,
    WordCountArgs,
};

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
    Extract(ExtractArgs),
    Search(SearchArgs),
    Count(CountArgs),
    Insert(InsertArgs),
    Append(AppendArgs),
    Replace(ReplaceArgs),
    Delete(DeleteArgs),
    Add(AddArgs),
    Rm(RmArgs),
    Rename(RenameArgs),
    Batch(BatchArgs),
    Compact(CompactArgs),
    Bzip2(Bzip2Args),
    Gpu(GpuArgs),
    Generate(GenerateArgs),
}
