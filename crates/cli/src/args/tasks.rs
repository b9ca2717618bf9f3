//! What can be asked.

use super::gpu::EngineArgs;
use super::shared::{CorpusFile, Documents, Threads};
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use regex::Regex;
use std::path::PathBuf;
use zgram::analytics::{Choice, Language, NormalForm, Traversal};

/// Count every word
///
/// Rows are `word<TAB>count`, the most frequent first; equal counts by the words' bytes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram word-count books.zgram --top 20
  zgram word-count books.zgram 'poems/*' --lower --stop english
  zgram word-count logs.zgram --match '^ERR' --format json
  zgram word-count books.zgram --format parquet -o words.parquet")]
pub(crate) struct WordCountArgs {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// List all words in order, with their counts
///
/// Rows are `word<TAB>count`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram sort books.zgram --fold | less
  zgram sort books.zgram --by count --reverse     the rarest first
  zgram sort books.zgram --collation unicode      as a dictionary has them: a, A, ä, b")]
pub(crate) struct SortArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    /// What to sort by; counts fall, and equal ones are sorted by word
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    /// The last first
    #[arg(long)]
    pub(crate) reverse: bool,
    /// How words compare
    #[arg(long, value_enum, default_value_t)]
    pub(crate) collation: CollationName,
}

/// List the documents of every word
///
/// Rows are `word<TAB>count<TAB>document`: words by their bytes, documents in the order of the
/// corpus; the count is the word's in that document.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram inverted-index books.zgram --match '^whale$'
  zgram inverted-index books.zgram --lower --format arrow -o index.arrow")]
pub(crate) struct InvertedIndexArgs {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Count the words of every document
///
/// Rows are `word<TAB>count<TAB>document`: documents in the order of the corpus, the most frequent
/// words of each first. --top K keeps the first K of each document.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram term-vector books.zgram --top 10 --stop english --lower
  zgram term-vector news.zgram 'sci.*' --sklearn --format ndjson")]
pub(crate) struct TermVectorArgs {
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Count the sequences of words (n-grams) of every document, or of the corpus
///
/// Rows are `sequence<TAB>count<TAB>document`, words with a space between them. Separators do not
/// count. A word that is left out ends a sequence, unless --gaps is given. No sequence crosses
/// documents.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram sequence-count books.zgram --corpus --top 20
  zgram sequence-count books.zgram -n 2 --top 5 --lower
  zgram sequence-count crawl.zgram -n 8 --corpus --memory 1G -o grams.tsv")]
pub(crate) struct SequenceCountArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) sequence: Sequence,
    /// All documents together: rows without a document
    #[arg(long)]
    pub(crate) corpus: bool,
}

/// List the documents of every sequence of words, those that have it most often first
///
/// Rows are `sequence<TAB>count<TAB>document`, sequences in the order of their words' bytes. --top K
/// keeps the first K documents of each sequence.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram ranked-inverted-index books.zgram -n 2 --top 1    who says it most?
  zgram ranked-inverted-index logs.zgram -n 4 --format parquet -o index.parquet")]
pub(crate) struct RankedInvertedIndexArgs {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(flatten)]
    pub(crate) sequence: Sequence,
}

/// Length of sequences.
#[derive(Debug, Args)]
pub(crate) struct Sequence {
    /// Words in a sequence, two or more
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 3)]
    pub(crate) n: usize,
    /// Let sequences skip words that --stop, --match and the like leave out
    #[arg(long)]
    pub(crate) gaps: bool,
}

/// What all tasks have.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Only the first K rows: of each document, word or sequence where rows name documents
    #[arg(long, value_name = "K")]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// How words are read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Words")]
pub(crate) struct ViewArgs {
    /// In lower case
    #[arg(long, conflicts_with = "fold")]
    pub(crate) lower: bool,
    /// Without regard to case (Unicode case folding)
    #[arg(long)]
    pub(crate) fold: bool,
    /// In a Unicode normal form
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) normalize: Option<Form>,
    /// Cut down to stems by the Snowball rules of a language, such as `english` or `en`
    #[arg(long, value_name = "LANG")]
    pub(crate) stem: Option<Language>,
    /// Without the words of a list: a language's, or a file's, one a line; may be repeated
    #[arg(long, value_name = "LANG|FILE")]
    pub(crate) stop: Vec<String>,
    /// Only words of N characters or more
    #[arg(long, value_name = "N", default_value_t = 1, hide_default_value = true)]
    pub(crate) min_len: usize,
    /// Only words in which REGEX is found
    #[arg(long = "match", value_name = "REGEX")]
    pub(crate) matching: Option<Regex>,
    /// Without words in which REGEX is found
    #[arg(long, value_name = "REGEX")]
    pub(crate) no_match: Option<Regex>,
    /// Without words that have a digit
    #[arg(long, conflicts_with = "only_digits")]
    pub(crate) no_digits: bool,
    /// Only words that have a digit
    #[arg(long)]
    pub(crate) only_digits: bool,
    /// Words exactly as scikit-learn's CountVectorizer finds them by default
    #[arg(long)]
    pub(crate) sklearn: bool,
}

/// How the answer is written.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// How rows are written
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,
    /// The file to write; standard output if not given
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Tell on standard error where the time went
    #[arg(long)]
    pub(crate) stats: bool,
    /// Tell which traversal would be chosen, and why, and stop
    #[arg(long)]
    pub(crate) explain: bool,
}

/// How the work is done.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Running {
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// How the grammar is gone through; the answer is the same
    #[arg(long, value_enum, default_value_t)]
    pub(crate) traversal: TraversalName,
    /// A decision tree from `zgram tune` for --traversal auto
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, env = "ZGRAM_TREE")]
    pub(crate) tree: Option<PathBuf>,
    /// Memory for intermediate results, such as 512M; larger ones are made in several passes
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) memory: Option<u64>,
    /// Leave out damaged segments and answer from the others (and exit with 2)
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// How rows are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// A table on a terminal, TSV elsewhere
    #[default]
    Auto,
    /// Aligned columns and a small bar chart
    Table,
    /// Fields with tabs between them, no header; tab, line end and backslash in names as \t, \n, \\
    Tsv,
    /// Comma-separated, with a header
    Csv,
    /// One JSON array
    Json,
    /// One JSON object a line
    Ndjson,
    /// A Parquet file
    Parquet,
    /// An Arrow IPC stream
    Arrow,
}

/// What words are sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The word
    #[default]
    Word,
    /// Its count
    Count,
}

/// How words compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CollationName {
    /// Byte by byte
    #[default]
    Bytes,
    /// By the Unicode Collation Algorithm
    Unicode,
}

/// A Unicode normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// Composed
    Nfc,
    /// Decomposed
    Nfd,
    /// Composed, compatible characters made equal
    Nfkc,
    /// Decomposed, compatible characters made equal
    Nfkd,
}

impl From<Form> for NormalForm {
    fn from(form: Form) -> Self {
        match form {
            Form::Nfc => Self::Nfc,
            Form::Nfd => Self::Nfd,
            Form::Nfkc => Self::Nfkc,
            Form::Nfkd => Self::Nfkd,
        }
    }
}

/// How a grammar is gone through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraversalName {
    /// What the decision tree says, or none if the file has the answer stored; see --explain
    #[default]
    Auto,
    /// Weights from each document down to the rules
    TopDown,
    /// The same with a plain bitmap of pending rules
    TopDownSingle,
    /// The same with a double-layered bitmap
    TopDownDouble,
    /// Contents from the rules up to the documents
    BottomUp,
    /// Word by word
    Stream,
}

impl From<TraversalName> for Choice {
    fn from(name: TraversalName) -> Self {
        match name {
            TraversalName::Auto => Self::Auto,
            TraversalName::TopDown => Self::TopDown,
            TraversalName::TopDownSingle => Self::Fixed(Traversal::TopDownSingle),
            TraversalName::TopDownDouble => Self::Fixed(Traversal::TopDownDouble),
            TraversalName::BottomUp => Self::Fixed(Traversal::BottomUp),
            TraversalName::Stream => Self::Fixed(Traversal::Stream),
        }
    }
}
