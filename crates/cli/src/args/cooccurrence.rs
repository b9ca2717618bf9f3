//! Arguments of `cooccurrence` and `collocates`.

use super::matrix::{MatrixFormat, WorkArgs};
use super::shared::{CorpusFile, Documents};
use super::tasks::{OutputArgs, ViewArgs};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::analytics::{Boundary, CollocateMeasure, Weighting};

/// Write how often words occur near each other
///
/// A square matrix: rows are words, columns are the words near them. A pair of words at most --window
/// apart adds 1 to its cell, divided by the distance unless weights are flat. Words left out by
/// --min-count, --max-vocab or the view are removed before distances are counted, as in GloVe's program.
/// Rows and columns are ordered by falling counts; words with the same count by their bytes. Values are
/// exact sums, rounded once.
///
/// --format glove writes OUT/vocab.txt and OUT/cooccurrence.bin, as GloVe's vocab_count and cooccur do;
/// the other formats write OUT, and OUT.terms.txt with one word per line.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram cooccurrence books.zgram --lower --min-count 5 --format glove -o books.glove
        ready for GloVe's shuffle and glove
  zgram cooccurrence books.zgram --window 5 --weighting flat --min-count 20 --format npz -o near.npz
  zgram cooccurrence logs.zgram --boundary line --right --format parquet -o next.parquet
  zgram cooccurrence books.zgram --max-vocab 1000 --upper-triangle --format mtx -o near.mtx")]
pub(crate) struct CooccurrenceArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) pairs: PairArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: CooccurrenceOutput,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Which pairs of words count, and how much.
#[derive(Debug, Args)]
#[command(next_help_heading = "Pairs")]
pub(crate) struct PairArgs {
    /// Count words at most N apart: up to 46, or 10,000 with flat weights
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = size::parse_usize)]
    pub(crate) window: usize,
    /// What a pair adds: 1 divided by its distance, or 1
    #[arg(long, value_enum, default_value_t)]
    pub(crate) weighting: WeightingName,
    /// A row counts words on both sides of its word (the default)
    #[arg(long, conflicts_with_all = ["left", "right"])]
    pub(crate) symmetric: bool,
    #[command(flatten)]
    pub(crate) side: SideArgs,
    /// Boundary that no pair crosses
    #[arg(long, value_enum, default_value_t)]
    pub(crate) boundary: BoundaryName,
    /// Leave out words that occur fewer times
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_count: u64,
    /// Keep only the N most frequent words
    #[arg(long, value_name = "N", value_parser = size::parse_usize)]
    pub(crate) max_vocab: Option<usize>,
    /// Write only the diagonal and the cells right of it
    #[arg(long, conflicts_with_all = ["left", "right"])]
    pub(crate) upper_triangle: bool,
}

/// On which side of a word to count.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SideArgs {
    /// Count only words to the left
    #[arg(long, conflicts_with = "right")]
    pub(crate) left: bool,
    /// Count only words to the right
    #[arg(long)]
    pub(crate) right: bool,
}

/// Where and how to write co-occurrences.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct CooccurrenceOutput {
    /// File format
    #[arg(long, value_enum)]
    pub(crate) format: CooccurrenceFormat,
    /// The file to write; with `glove`, the folder
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::AnyPath)]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Formats of co-occurrences.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CooccurrenceFormat {
    /// GloVe's vocab.txt and cooccurrence.bin, in a folder
    Glove,
    /// NumPy arrays, for scipy.sparse.load_npz
    Npz,
    /// Matrix Market
    Mtx,
    /// An Arrow stream of word, near and value
    Arrow,
    /// A Parquet file of word, near and value
    Parquet,
}

impl CooccurrenceFormat {
    /// The format as one of a matrix; `None` for GloVe's.
    pub(crate) fn of_matrix(self) -> Option<MatrixFormat> {
        match self {
            Self::Glove => None,
            Self::Npz => Some(MatrixFormat::Npz),
            Self::Mtx => Some(MatrixFormat::Mtx),
            Self::Arrow => Some(MatrixFormat::Arrow),
            Self::Parquet => Some(MatrixFormat::Parquet),
        }
    }
}

/// The names of weightings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum WeightingName {
    /// 1 divided by the distance
    #[default]
    Inverse,
    /// 1 at any distance
    Flat,
}

impl From<WeightingName> for Weighting {
    fn from(name: WeightingName) -> Self {
        match name {
            WeightingName::Inverse => Self::Inverse,
            WeightingName::Flat => Self::Flat,
        }
    }
}

/// The names of boundaries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum BoundaryName {
    /// The end of a document
    #[default]
    Document,
    /// The end of a line, as in GloVe's program
    Line,
}

impl From<BoundaryName> for Boundary {
    fn from(name: BoundaryName) -> Self {
        match name {
            BoundaryName::Document => Self::Document,
            BoundaryName::Line => Self::Line,
        }
    }
}

/// List the words that occur near a word
///
/// Rows are `word<TAB>score<TAB>cooccurrences<TAB>count`: the word near WORD, how strongly the two are
/// associated, how often they are at most --window apart, and how often the word occurs. The highest score
/// comes first. WORD is read as the options read the words of the text.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram collocates books.zgram whale --lower --top 20
  zgram collocates books.zgram strong --right --window 1
  zgram collocates books.zgram sea --measure pmi --min-count 5
  zgram collocates books.zgram sea --doc 'stevenson*' --format json")]
pub(crate) struct CollocatesArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The word
    #[arg(value_name = "WORD")]
    pub(crate) word: String,
    /// Count only in this document, or in those that match this pattern; may be repeated
    #[arg(short, long = "doc", value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
    /// Count words at most N apart, up to 10,000
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = size::parse_usize)]
    pub(crate) window: usize,
    /// How to score words
    #[arg(long, value_enum, default_value_t)]
    pub(crate) measure: MeasureName,
    #[command(flatten)]
    pub(crate) side: SideArgs,
    /// Boundary that no pair crosses
    #[arg(long, value_enum, default_value_t)]
    pub(crate) boundary: BoundaryName,
    /// Leave out words that are near WORD fewer times
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) min_count: u64,
    /// Print only the first K rows
    #[arg(long, value_name = "K", value_parser = size::parse_usize)]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// The names of measures of association.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum MeasureName {
    /// Log-Dice: at most about 14, comparable between corpora
    #[default]
    Logdice,
    /// Pointwise mutual information; favours rare words
    Pmi,
    /// Log-likelihood ratio; favours frequent words
    Ll,
    /// The t-score; favours frequent words
    T,
}

impl From<MeasureName> for CollocateMeasure {
    fn from(name: MeasureName) -> Self {
        match name {
            MeasureName::Logdice => Self::LogDice,
            MeasureName::Pmi => Self::Pmi,
            MeasureName::Ll => Self::LogLikelihood,
            MeasureName::T => Self::TScore,
        }
    }
}
