//! Arguments of the six tasks.

use super::gpu::EngineArgs;
use super::shared::{CorpusFile, Documents, Threads, parse_limit, parse_units};
use crate::complaint::Refusal;
use crate::output_file::OutputFile;
use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use regex::Regex;
use std::io::IsTerminal;
use std::path::PathBuf;
use zgram::analytics::{Choice, DocumentLimit, Language, NormalForm, Traversal, Units};

/// Count every word
///
/// Rows are `word<TAB>count`, the most frequent word first. Words with the same count are ordered by
/// their bytes.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram word-count books.zgram --top 20
  zgram word-count books.zgram 'poems/*' --lower --stop english
  zgram word-count logs.zgram --match '^ERR' --format json
  zgram word-count news.zgram --min-docs 5 --columns count,documents,per_million
  zgram word-count books.zgram --format parquet -o words.parquet")]
pub(crate) struct WordCountArgs {
    #[command(flatten)]
    pub(crate) numbers: ColumnArgs,
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
  zgram sort books.zgram --by count --reverse     the rarest words first
  zgram sort books.zgram --collation unicode      in dictionary order: a, A, ä, b")]
pub(crate) struct SortArgs {
    #[command(flatten)]
    pub(crate) numbers: ColumnArgs,
    /// Sort by word, or by count (highest first, then by word)
    #[arg(long, value_enum, default_value_t)]
    pub(crate) by: By,
    /// Reverse the order
    #[arg(long)]
    pub(crate) reverse: bool,
    /// How to compare words
    #[arg(long, value_enum, default_value_t)]
    pub(crate) collation: CollationName,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// List the documents of every word
///
/// Rows are `word<TAB>count<TAB>document`: words ordered by their bytes, documents in the order of the
/// corpus. The count is that of the word in the document. With --documents-only, there is one row
/// per word: the word and all its documents, without counts.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram inverted-index books.zgram --match '^whale$'
  zgram inverted-index news.zgram --by folder         the folders of every word
  zgram inverted-index logs.zgram --documents-only --max-docs 3 --format ndjson
  zgram inverted-index books.zgram --lower --format arrow -o index.arrow")]
pub(crate) struct InvertedIndexArgs {
    /// One row per word, with the list of its documents and no counts
    #[arg(long)]
    pub(crate) documents_only: bool,
    #[command(flatten)]
    pub(crate) units: UnitArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Count the words of every document
///
/// Rows are `word<TAB>count<TAB>document`: documents in the order of the corpus, and in each the most
/// frequent word first. --top K keeps the first K words per document.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram term-vector books.zgram --top 10 --stop english --lower
  zgram term-vector news.zgram 'sci.*' --sklearn --format ndjson
  zgram term-vector logs.zgram --by '(\\d{4}-\\d\\d)' --top 5     the first words of each month, by name")]
pub(crate) struct TermVectorArgs {
    #[command(flatten)]
    pub(crate) units: UnitArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// Count sequences of words (n-grams)
///
/// Counts per document, or with --corpus over all documents together.
/// Rows are `sequence<TAB>count<TAB>document`, with a space between the words of a sequence.
/// Separators are ignored. A word that is left out ends a sequence, unless --gaps is given. No
/// sequence crosses documents.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram sequence-count books.zgram --corpus --top 20
  zgram sequence-count books.zgram -n 2 --top 5 --lower
  zgram sequence-count crawl.zgram -n 8 --corpus --memory 1G -o grams.tsv")]
pub(crate) struct SequenceCountArgs {
    #[command(flatten)]
    pub(crate) sequence: Sequence,
    /// Count over all documents together; rows have no document
    #[arg(long, conflicts_with = "by")]
    pub(crate) corpus: bool,
    /// With --corpus, the numbers of each row, in this order [default: count]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',', requires = "corpus")]
    pub(crate) columns: Vec<NumberColumn>,
    #[command(flatten)]
    pub(crate) units: UnitArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// List the documents of every sequence, ranked by count
///
/// Rows are `sequence<TAB>count<TAB>document`: sequences ordered by their bytes, and for each the
/// document with the most occurrences first. --top K keeps the first K documents per sequence.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram ranked-inverted-index books.zgram -n 2 --top 1    the document that says it most
  zgram ranked-inverted-index logs.zgram -n 4 --format parquet -o index.parquet")]
pub(crate) struct RankedInvertedIndexArgs {
    #[command(flatten)]
    pub(crate) sequence: Sequence,
    #[command(flatten)]
    pub(crate) units: UnitArgs,
    #[command(flatten)]
    pub(crate) common: Common,
}

/// The numbers of a row.
#[derive(Debug, Args)]
pub(crate) struct ColumnArgs {
    /// The numbers of each row, in this order [default: count]
    #[arg(long, value_enum, value_name = "LIST", value_delimiter = ',')]
    pub(crate) columns: Vec<NumberColumn>,
}

/// A number of a word or sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum NumberColumn {
    /// Occurrences
    Count,
    /// Documents that it occurs in
    Documents,
    /// Occurrences per million words (or sequences) counted
    #[value(name = "per_million")]
    PerMillion,
}

/// What rows name in place of documents.
#[derive(Debug, Args)]
pub(crate) struct UnitArgs {
    /// Count per folder, or per what the first group of REGEX matches in names, instead of per document
    #[arg(long, value_name = "folder|REGEX", value_parser = parse_units)]
    pub(crate) by: Option<Units>,
}

/// Length of sequences.
#[derive(Debug, Args)]
pub(crate) struct Sequence {
    /// Words per sequence, at least 2
    #[arg(short = 'n', long = "words", value_name = "N", default_value_t = 3, value_parser = size::parse_usize)]
    pub(crate) n: usize,
    /// Let sequences skip words that --stop, --match and the like leave out
    #[arg(long)]
    pub(crate) gaps: bool,
}

/// Arguments that all tasks share. They come last in each task, because clap puts whatever follows under
/// their last heading.
#[derive(Debug, Args)]
pub(crate) struct Common {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    /// Print only the first K rows (per document, word or sequence where rows name a document)
    #[arg(long, value_name = "K", value_parser = size::parse_usize)]
    pub(crate) top: Option<usize>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) running: Running,
}

/// Which words, or sequences, are frequent or rare enough.
#[derive(Debug, Args)]
pub(crate) struct LimitArgs {
    /// Leave out words (or sequences) that occur fewer times in all
    #[arg(long, value_name = "N")]
    pub(crate) min_count: Option<u64>,
    /// Leave out words (or sequences) that occur in fewer documents, or units of --by: a number, or a
    /// share such as 0.01
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    pub(crate) min_docs: Option<DocumentLimit>,
    /// Leave out words (or sequences) that occur in more documents, or units of --by: a number, or a
    /// share such as 0.5
    #[arg(long, value_name = "N", value_parser = parse_limit)]
    pub(crate) max_docs: Option<DocumentLimit>,
}

/// Which words to count, and in which form.
#[derive(Debug, Args)]
#[command(next_help_heading = "Words")]
pub(crate) struct ViewArgs {
    /// Convert words to lower case
    #[arg(long, conflicts_with = "fold")]
    pub(crate) lower: bool,
    /// Ignore case, by Unicode case folding
    #[arg(long)]
    pub(crate) fold: bool,
    /// Convert words to a Unicode normal form
    #[arg(long, value_enum, value_name = "FORM")]
    pub(crate) normalize: Option<Form>,
    /// Reduce words to stems by the Snowball rules of a language, such as `english` or `en`
    #[arg(long, value_name = "LANG")]
    pub(crate) stem: Option<Language>,
    /// Skip stop words: those of a language, or of a file with one word per line; may be repeated
    #[arg(long, value_name = "LANG|FILE")]
    pub(crate) stop: Vec<String>,
    /// Skip words shorter than N characters
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        hide_default_value = true,
        value_parser = size::parse_usize
    )]
    pub(crate) min_len: usize,
    /// Count only words that match REGEX (anywhere in the word)
    #[arg(long = "match", value_name = "REGEX")]
    pub(crate) matching: Option<Regex>,
    /// Skip words that match REGEX (anywhere in the word)
    #[arg(long, value_name = "REGEX")]
    pub(crate) no_match: Option<Regex>,
    /// Skip words that contain a digit
    #[arg(long, conflicts_with = "only_digits")]
    pub(crate) no_digits: bool,
    /// Count only words that contain a digit
    #[arg(long)]
    pub(crate) only_digits: bool,
    /// Split words exactly as scikit-learn's CountVectorizer does by default, in lower case
    #[arg(long)]
    pub(crate) sklearn: bool,
}

/// Where and how to write the rows.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct OutputArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,
    /// The file to write; default: standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    /// In Arrow and Parquet, write words and names as plain strings, for readers that do not support
    /// dictionaries, such as Spark
    #[arg(long, hide_short_help = true)]
    pub(crate) plain_strings: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
    /// Print which traversal would be chosen and why, then stop
    #[arg(long, hide_short_help = true)]
    pub(crate) explain: bool,
}

impl OutputArgs {
    /// The format that rows will have: a table on a terminal, TSV elsewhere, unless one is named.
    pub(crate) fn row_format(&self) -> RowFormat {
        let is_terminal = self.output.is_none() && std::io::stdout().is_terminal();
        match self.format {
            RowFormat::Auto if is_terminal => RowFormat::Table,
            RowFormat::Auto => RowFormat::Tsv,
            format => format,
        }
    }

    /// Opens the output and resolves `auto`: a table on a terminal, TSV elsewhere. `example` is a file
    /// name to suggest.
    pub(crate) fn open(&self, example: &str) -> anyhow::Result<(OutputFile, RowFormat)> {
        let is_terminal = self.output.is_none() && std::io::stdout().is_terminal();
        let format = self.row_format();
        if is_terminal && matches!(format, RowFormat::Parquet | RowFormat::Arrow) {
            let hint = "give a file with -o, or send it through a pipe";
            return Err(Refusal::error("this format is not for terminals", hint).into());
        }
        Ok((OutputFile::open(self.output.as_deref(), self.force, example)?, format))
    }
}

/// How to run the task.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub(crate) struct Running {
    #[command(flatten)]
    pub(crate) threads: Threads,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    /// Order in which to traverse the grammar; results are identical
    #[arg(long, value_enum, default_value_t, hide_short_help = true)]
    pub(crate) traversal: TraversalName,
    /// Decision tree from `zgram tune` for --traversal auto
    #[arg(
        long,
        value_name = "FILE",
        value_hint = ValueHint::FilePath,
        env = "ZGRAM_TREE",
        hide_env = true,
        hide_short_help = true
    )]
    pub(crate) tree: Option<PathBuf>,
    /// Memory for intermediate results, such as 512M; default: 2G. What does not fit takes more passes
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_memory)]
    pub(crate) memory: Option<u64>,
    /// Skip damaged segments and use the others (exit code 2)
    #[arg(long)]
    pub(crate) keep_going: bool,
}

/// Output formats.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum RowFormat {
    /// A table on a terminal, TSV elsewhere
    #[default]
    Auto,
    /// Aligned columns with a small bar chart
    Table,
    /// Tab-separated fields, no header; in names, tab, line end and backslash as \t, \n, \\
    Tsv,
    /// Comma-separated, with a header
    Csv,
    /// One JSON array
    Json,
    /// One JSON object per line
    Ndjson,
    /// A Parquet file
    Parquet,
    /// An Arrow IPC stream
    Arrow,
}

/// What to sort words by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// The word
    #[default]
    Word,
    /// Its count
    Count,
}

/// How to compare words.
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
    /// Composed, with compatibility characters replaced
    Nfkc,
    /// Decomposed, with compatibility characters replaced
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

/// Orders in which to traverse a grammar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum TraversalName {
    /// As the decision tree chooses, or none if the file stores the counts; see --explain
    #[default]
    Auto,
    /// From each document down to the rules, passing weights
    TopDown,
    /// Top-down, with a plain bitmap of pending rules
    TopDownSingle,
    /// Top-down, with a two-level bitmap of pending rules
    TopDownDouble,
    /// From the rules up to the documents, merging counts
    BottomUp,
    /// Word by word, in text order
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
