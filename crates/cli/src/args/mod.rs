//! The types of all arguments, one file per group of commands.

mod bzip2;
mod cooccurrence;
mod edit;
pub(crate) mod gpu;
mod groups;
mod keyness;
mod lda;
mod maintain;
mod matrix;
mod pack;
mod parse;
mod phrases;
mod rank;
mod read;
mod reshard;
mod search;
mod shared;
pub(crate) mod tasks;
pub(crate) mod tf_idf;
mod word2vec;

pub(crate) use bzip2::Bzip2Args;
pub(crate) use cooccurrence::{CollocatesArgs, CooccurrenceArgs, CooccurrenceOutput};
pub(crate) use edit::{
    AddArgs, AppendArgs, BatchArgs, DeleteArgs, InsertArgs, RenameArgs, ReplaceArgs, RmArgs, Text,
};
pub(crate) use keyness::KeynessArgs;
pub(crate) use lda::{LdaArgs, ModelArgs};
pub(crate) use maintain::{CompactArgs, GenerateArgs, Generated, GpuArgs, TuneArgs, VerifyArgs};
pub(crate) use matrix::{MatrixArgs, MatrixFormat, TermArgs, WorkArgs};
pub(crate) use pack::{CompressArgs, DecompressArgs};
pub(crate) use parse::parse;
pub(crate) use phrases::{IndexArgs, NextArgs, TraceArgs};
pub(crate) use rank::RankArgs;
pub(crate) use read::{CatArgs, ExtractArgs, InfoArgs, LsArgs};
pub(crate) use reshard::{MergeArgs, SplitArgs};
pub(crate) use search::{CountArgs, SearchArgs, SpellingArgs};
pub(crate) use shared::{CorpusFile, Format};
pub(crate) use tasks::ViewArgs;
pub(crate) use tf_idf::TfIdfArgs;
pub(crate) use word2vec::{NearestArgs, VectorFormatName, Word2VecArgs};

use clap::{Args, Parser, Subcommand, ValueEnum};
use tasks::{
    InvertedIndexArgs, RankedInvertedIndexArgs, SequenceCountArgs, SortArgs, TermVectorArgs,
    WordCountArgs,
};

/// Compress text, then search, count and edit it while it stays compressed.
///
/// Folders, files, tar archives, JSON Lines and standard input become one .zgram file. Every byte
/// comes back as it was.
///
/// Exit codes: 0 success, 1 nothing found (no such document, no match, no rows), 2 error,
/// 130 interrupted.
#[derive(Debug, Parser)]
#[command(name = "zgram", version, propagate_version = true, max_term_width = 100)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compress texts/ -o texts.zgram       pack a folder into one file
  zgram ls texts.zgram                       list its documents
  zgram cat texts.zgram 'letters/*.txt'      print some of them
  zgram decompress texts.zgram -o copy/      restore all files
  zgram word-count texts.zgram --top 20      show the 20 most frequent words
  zgram search texts.zgram white whale       find a phrase
  zgram append texts.zgram notes.txt 'more'  edit a document; the edit is on disk at once

ENVIRONMENT:
  NO_COLOR           if set, print no colours (unless --color always)
  RAYON_NUM_THREADS  default for --threads
  ZGRAM_ENGINE       default for --engine
  ZGRAM_ADAPTER      default for --adapter
  ZGRAM_TREE         default for --tree
  TMPDIR             folder for temporary data when compressing to standard output")]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) display: Display,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to print besides the results.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "Display")]
pub(crate) struct Display {
    /// Print errors only: no progress, no summary, no notices
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more: the time of each stage; with `info`, also segments and sections
    #[arg(short, long, global = true)]
    pub(crate) verbose: bool,
    /// When to use colours
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: Color,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}

// Clap builds only the options of the command that was typed: that starts faster and takes less memory.
#[derive(Debug, Subcommand)]
#[command(defer = true)]
pub(crate) enum Command {
    Compress(CompressArgs),
    #[command(aliases = ["unpack", "x"])]
    Decompress(DecompressArgs),
    Cat(CatArgs),
    #[command(alias = "list")]
    Ls(LsArgs),
    #[command(alias = "stat")]
    Info(InfoArgs),
    Verify(VerifyArgs),
    #[command(alias = "wc")]
    WordCount(WordCountArgs),
    Sort(SortArgs),
    InvertedIndex(InvertedIndexArgs),
    TermVector(TermVectorArgs),
    #[command(alias = "ngrams")]
    SequenceCount(SequenceCountArgs),
    RankedInvertedIndex(RankedInvertedIndexArgs),
    Matrix(MatrixArgs),
    Rank(RankArgs),
    #[command(alias = "tfidf")]
    TfIdf(TfIdfArgs),
    // Otherwise `word2-vec`.
    #[command(name = "word2vec")]
    Word2Vec(Word2VecArgs),
    Nearest(NearestArgs),
    Lda(LdaArgs),
    Keyness(KeynessArgs),
    Cooccurrence(CooccurrenceArgs),
    Collocates(CollocatesArgs),
    Tune(TuneArgs),
    Extract(ExtractArgs),
    #[command(alias = "grep")]
    Search(SearchArgs),
    Count(CountArgs),
    Next(NextArgs),
    Trace(TraceArgs),
    Insert(InsertArgs),
    Append(AppendArgs),
    Replace(ReplaceArgs),
    Delete(DeleteArgs),
    Add(AddArgs),
    Rm(RmArgs),
    Rename(RenameArgs),
    Batch(BatchArgs),
    Compact(CompactArgs),
    Merge(MergeArgs),
    Split(SplitArgs),
    Index(IndexArgs),
    Bzip2(Bzip2Args),
    Gpu(GpuArgs),
    Generate(GenerateArgs),
}

impl Command {
    /// Whether the option -o says where the results go.
    pub(crate) fn has_output(&self) -> bool {
        matches!(
            self,
            Self::Compress(_)
                | Self::Decompress(_)
                | Self::Merge(_)
                | Self::Split(_)
                | Self::WordCount(_)
                | Self::Sort(_)
                | Self::InvertedIndex(_)
                | Self::TermVector(_)
                | Self::SequenceCount(_)
                | Self::RankedInvertedIndex(_)
                | Self::Matrix(_)
                | Self::Rank(_)
                | Self::TfIdf(_)
                | Self::Word2Vec(_)
                | Self::Nearest(_)
                | Self::Lda(_)
                | Self::Keyness(_)
                | Self::Cooccurrence(_)
                | Self::Collocates(_)
                | Self::Tune(_)
        )
    }
}
