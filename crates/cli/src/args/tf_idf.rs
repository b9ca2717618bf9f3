//! Arguments of `tf-idf`.

use super::matrix::{MatrixFormat, TermArgs, WorkArgs};
use super::shared::{CorpusFile, Documents};
use super::tasks::{RowFormat, ViewArgs};
use crate::size;
use clap::builder::PossibleValue;
use clap::{Args, ValueEnum, ValueHint};
use std::path::PathBuf;

/// Weigh the words of every document by TF-IDF
///
/// Rows are `document<TAB>word<TAB>score`: documents in the order of the corpus, and in each the highest
/// score first. Words with the same score are ordered by their bytes. With a matrix format, writes OUT,
/// OUT.terms.txt and OUT.documents.txt, as `zgram matrix` does.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram tf-idf books.zgram --top 10 --lower --stop english
        ten keywords for each book
  zgram tf-idf news.zgram --scheme sklearn --sklearn --format npz -o news.npz
        the matrix of TfidfVectorizer(); read it with scipy.sparse.load_npz
  zgram tf-idf logs.zgram --by folder --top 5 --format json
  zgram tf-idf news.zgram --scheme sklearn --sublinear --norm l1 -n 1:2 --min-docs 5")]
pub(crate) struct TfIdfArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Print only the first K words of each document
    #[arg(long, value_name = "K", value_parser = size::parse_usize)]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) weights: WeightArgs,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: ScoreOutput,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// How counts become scores.
#[derive(Debug, Args)]
#[command(next_help_heading = "Scores")]
pub(crate) struct WeightArgs {
    /// Whose definition to use
    #[arg(long, value_enum, default_value_t)]
    pub(crate) scheme: Scheme,
    /// With --scheme sklearn: use 1 + ln(count) instead of the count
    #[arg(long)]
    pub(crate) sublinear: bool,
    /// With --scheme sklearn: do not add 1 to numbers of documents
    #[arg(long)]
    pub(crate) no_smooth: bool,
    /// With --scheme sklearn: do not multiply by the inverse document frequency
    #[arg(long, conflicts_with = "no_smooth")]
    pub(crate) no_idf: bool,
    /// With --scheme sklearn: sum norms in the order of columns, as transform() does; the default is that
    /// of fit_transform(), and the last bits differ
    #[arg(long)]
    pub(crate) transform: bool,
    /// With --scheme sklearn: what to divide the scores of a document by; default: l2
    #[arg(long, value_enum)]
    pub(crate) norm: Option<NormName>,
}

/// Definitions of TF-IDF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scheme {
    /// count x ln(documents / documents with the word)
    #[default]
    Paper,
    /// scikit-learn's TfidfTransformer
    Sklearn,
    /// gensim's TfidfModel
    Gensim,
}

/// Norms of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NormName {
    /// The sum of the scores
    L1,
    /// The root of the sum of their squares
    L2,
    /// Nothing: do not divide
    None,
}

/// Where and how to write scores.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct ScoreOutput {
    /// Output format: of rows, or of a matrix (npz, mtx, svmlight)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: ScoreFormat,
    /// The file to write; default: standard output
    #[arg(short, long, value_name = "OUT", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
}

/// Formats of rows, and of matrices of numbers that are not counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ScoreFormat {
    Rows(RowFormat),
    Matrix(MatrixFormat),
}

impl Default for ScoreFormat {
    fn default() -> Self {
        Self::Rows(RowFormat::default())
    }
}

impl ValueEnum for ScoreFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Rows(RowFormat::Auto),
            Self::Rows(RowFormat::Table),
            Self::Rows(RowFormat::Tsv),
            Self::Rows(RowFormat::Csv),
            Self::Rows(RowFormat::Json),
            Self::Rows(RowFormat::Ndjson),
            Self::Rows(RowFormat::Parquet),
            Self::Rows(RowFormat::Arrow),
            Self::Matrix(MatrixFormat::Npz),
            Self::Matrix(MatrixFormat::Mtx),
            Self::Matrix(MatrixFormat::Svmlight),
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        match self {
            Self::Rows(format) => format.to_possible_value(),
            Self::Matrix(format) => format.to_possible_value(),
        }
    }
}
