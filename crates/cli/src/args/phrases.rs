//! Arguments of the commands that ask phrase indexes, and of the one that makes them.

use super::edit::EditedFile;
use super::search::SpellingArgs;
use super::shared::{CorpusFile, Format};
use crate::size;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Add phrase indexes to a file, or remove them
///
/// With them, `count`, `search`, `next` and `trace` take microseconds for a phrase of any length, and
/// read only a small part of the file. They take about a fifth of the size of prose, and a hundredth
/// of that of logs. Pending edits are merged. The new file replaces the old one when it is complete.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram index texts.zgram
  zgram index --drop texts.zgram")]
pub(crate) struct IndexArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// Remove the indexes
    #[arg(long)]
    pub(crate) drop: bool,
}

/// List the words that follow a phrase
///
/// Prints how often each word follows, and its share of all occurrences of the phrase. Without phrase
/// indexes in the file, or with pending edits, indexes are built in memory first.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram next texts.zgram one of the
  zgram next texts.zgram --fold --top 10 moby
  zgram next texts.zgram --prefix the whal           the, then any word that begins with whal")]
pub(crate) struct NextArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The words, in sequence
    #[arg(required = true, value_name = "WORD")]
    pub(crate) words: Vec<OsString>,
    /// Print only the first K rows
    #[arg(long, value_name = "K", value_parser = size::parse_usize)]
    pub(crate) top: Option<usize>,
    /// Match all words that begin like the last one
    #[arg(long)]
    pub(crate) prefix: bool,
    #[command(flatten)]
    pub(crate) spelling: SpellingArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Find the passages of a text that occur in the corpus
///
/// Prints each passage of at least N words that occurs word for word and cannot be extended: its
/// offset, length and number of words in the text, how often it occurs, and where. Separators may
/// differ; case matters. Without phrase indexes in the file, or with pending edits, indexes are built
/// in memory first.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram trace texts.zgram passage.txt
  zgram trace texts.zgram --least 20 --places 5 essay.txt
  fold essay.txt | zgram trace texts.zgram -")]
pub(crate) struct TraceArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// A file with the text; `-` is standard input
    #[arg(value_name = "TEXT", value_hint = ValueHint::FilePath)]
    pub(crate) text: PathBuf,
    /// Ignore passages of fewer words
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = size::parse_usize)]
    pub(crate) least: usize,
    /// Print the first K places of each passage, one row each
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = size::parse_usize)]
    pub(crate) places: usize,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
