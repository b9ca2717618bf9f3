//! Arguments of `rank`.

use super::matrix::WorkArgs;
use super::shared::CorpusFile;
use super::tasks::{OutputArgs, ViewArgs};
use crate::size;
use clap::{Args, ValueEnum};
use std::ffi::OsString;
use zgram::analytics::Bm25Variant;

/// Find the documents that match some words best (BM25)
///
/// Rows are `score<TAB>document`, the best document first. Documents with the same score are in the
/// order of the corpus. Pending edits are included. With --doc, the chosen documents are ranked as a
/// corpus of their own. A word that is given twice counts twice.
#[derive(Debug, Args)]
#[command(
    mut_arg("explain", |arg| arg
        .help("Print what each word adds to each score: rows of score, document, word, documents \
               with the word, idf, count, document length, contribution")
        .hide_short_help(false)),
    after_long_help = "\
EXAMPLES:
  zgram rank news.zgram --lower space shuttle
  zgram rank news.zgram -k 3 --stem en --stop en 'the launch of a shuttle' --explain
  zgram rank logs.zgram --doc 'node7/*' --fold timeout --format json
  zgram rank news.zgram --variant robertson --k1 1.2 hockey")]
pub(crate) struct RankArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The words to look for, in any order
    #[arg(required = true, value_name = "WORD")]
    pub(crate) words: Vec<OsString>,
    /// Rank only this document, or those that match this pattern; may be repeated
    #[arg(short, long = "doc", value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
    /// Print only the first K documents
    #[arg(
        short = 'k',
        long = "top",
        value_name = "K",
        default_value_t = 10,
        value_parser = size::parse_usize
    )]
    pub(crate) top: usize,
    #[command(flatten)]
    pub(crate) scoring: ScoringArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// How documents are scored.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scores")]
pub(crate) struct ScoringArgs {
    /// The variant of BM25
    #[arg(long, value_enum, default_value_t)]
    pub(crate) variant: VariantName,
    /// How much each further occurrence of a word counts, at least 0
    #[arg(long, value_name = "X", default_value_t = 1.5, allow_negative_numbers = true)]
    pub(crate) k1: f64,
    /// How much the length of a document counts, from 0 to 1
    #[arg(long, value_name = "X", default_value_t = 0.75, allow_negative_numbers = true)]
    pub(crate) b: f64,
    /// What bm25+ and bm25l add to each word, at least 0
    #[arg(
        long,
        value_name = "X",
        default_value_t = 0.5,
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    pub(crate) delta: f64,
}

/// Variants of BM25.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum VariantName {
    /// As in Lucene, without the constant factor k1 + 1
    #[default]
    Lucene,
    /// The original; words in more than half of the documents score 0
    Robertson,
    /// As in ATIRE
    Atire,
    /// BM25+, which gives every occurrence at least delta
    #[value(name = "bm25+")]
    Plus,
    /// BM25L, which favours long documents more
    #[value(name = "bm25l")]
    L,
}

impl From<VariantName> for Bm25Variant {
    fn from(name: VariantName) -> Self {
        match name {
            VariantName::Lucene => Self::Lucene,
            VariantName::Robertson => Self::Robertson,
            VariantName::Atire => Self::Atire,
            VariantName::Plus => Self::Plus,
            VariantName::L => Self::L,
        }
    }
}
