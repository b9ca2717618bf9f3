//! Arguments of `matrix`.

use super::shared::{CorpusFile, Documents, Threads, parse_limit, parse_units};
use super::tasks::ViewArgs;
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use std::ops::RangeInclusive;
use std::path::PathBuf;
use zgram::analytics::{DocumentLimit, Units};

/// Write the matrix of documents and words or n-grams
///
/// Cells are counts. Rows are documents in the order of the corpus, columns are words or n-grams ordered
/// by their bytes, as scikit-learn's CountVectorizer has them. Documents without words keep their row.
/// Writes OUT, and beside it OUT.terms.txt and OUT.documents.txt with one line per column and row.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram matrix news.zgram --sklearn --format npz -o news.npz
        the matrix of CountVectorizer(); read it with scipy.sparse.load_npz
  zgram matrix news.zgram --sklearn -n 1:2 --format npz -o news.npz
        that of CountVectorizer(ngram_range=(1, 2))
  zgram matrix news.zgram --min-docs 5 --max-docs 0.5 --format mtx -o news.mtx
  zgram matrix logs.zgram --by folder --format parquet -o folders.parquet
  zgram matrix news.zgram --lower --stop english --format ldac -o news.ldac")]
pub(crate) struct MatrixArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
    /// Cells are 1 instead of counts
    #[arg(long)]
    pub(crate) binary: bool,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: MatrixOutput,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// Which terms become columns, and what rows are.
#[derive(Debug, Args)]
#[command(next_help_heading = "Terms")]
pub(crate) struct TermArgs {
    /// Terms are n-grams of N words, or of LO to HI words, joined by spaces
    #[arg(short = 'n', long, value_name = "N|LO:HI", value_parser = parse_lengths)]
    pub(crate) ngrams: Option<Lengths>,
    /// Let n-grams skip words that --stop, --match and the like leave out
    #[arg(long, requires = "ngrams")]
    pub(crate) gaps: bool,
    /// Leave out terms that occur in fewer documents: a number, or a share such as 0.01
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    pub(crate) min_docs: Option<DocumentLimit>,
    /// Leave out terms that occur in more documents: a number, or a share such as 0.5
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    pub(crate) max_docs: Option<DocumentLimit>,
    /// Leave out terms that occur fewer times in all
    #[arg(long, value_name = "N")]
    pub(crate) min_count: Option<u64>,
    /// Keep only the N most frequent terms
    #[arg(long, value_name = "N", value_parser = size::parse_usize)]
    pub(crate) max_features: Option<usize>,
    /// Use exactly the terms of this file, one per line, in its order
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        conflicts_with_all = ["min_docs", "max_docs", "min_count", "max_features"]
    )]
    pub(crate) vocabulary: Option<PathBuf>,
    /// Rows are folders, or what the first group of REGEX matches in names, instead of documents
    #[arg(long, value_name = "folder|REGEX", value_parser = parse_units)]
    pub(crate) by: Option<Units>,
}

/// Where and how to write a matrix.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct MatrixOutput {
    /// File format
    #[arg(long, value_enum)]
    pub(crate) format: MatrixFormat,
    /// The file to write
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
}

/// How to run the work.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct WorkArgs {
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory for intermediate results, such as 512M; what does not fit takes more passes
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_memory)]
    pub(crate) memory: Option<u64>,
}

/// Formats of matrices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MatrixFormat {
    /// NumPy arrays, for scipy.sparse.load_npz
    Npz,
    /// Matrix Market
    Mtx,
    /// svmlight and libsvm, all labels 0
    Svmlight,
    /// LDA-C: `n id:count ...`, ids from 0
    Ldac,
    /// PLDA: `word count word count ...`
    Plda,
    /// UCI bag of words: three numbers, then `document word count`
    Uci,
    /// An Arrow stream of document, term and count
    Arrow,
    /// A Parquet file of document, term and count
    Parquet,
}

/// Lengths of n-grams.
pub(crate) type Lengths = RangeInclusive<usize>;

fn parse_lengths(text: &str) -> Result<Lengths, String> {
    let number = |text: &str| {
        let wanted = "give a number of words, such as 2, or two with a colon, such as 1:2";
        text.parse::<usize>().map_err(|_| wanted.to_owned())
    };
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    Ok(number(from)?..=number(to)?)
}
