//! Arguments of the commands that search.

use super::shared::{CorpusFile, Format};
use crate::size;
use clap::{Args, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// Find a word, or several words in sequence
///
/// Searches all documents, or those given with --doc. Case matters, unless --fold is given. Several
/// words are a phrase: only separators may be between them. Prints document, offset and length of
/// each match; on a terminal, or with -C, also the words around it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram search texts.zgram whale
  zgram search texts.zgram --doc 'letters/*' white whale -C 8
  zgram search texts.zgram --fold moby dick
  zgram search texts.zgram whale --format json | jq length")]
pub(crate) struct SearchArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The words, in sequence
    #[arg(required = true, value_name = "WORD")]
    pub(crate) words: Vec<OsString>,
    /// Search only this document, or those that match this pattern; may be repeated
    #[arg(short, long = "doc", value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
    /// Words of context on each side; default on a terminal: 6
    #[arg(short = 'C', long, value_name = "N", value_parser = size::parse_usize)]
    pub(crate) context: Option<usize>,
    /// Stop after N matches
    #[arg(short, long, value_name = "N", value_parser = size::parse_usize)]
    pub(crate) max_count: Option<usize>,
    #[command(flatten)]
    pub(crate) spelling: SpellingArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Count a word, or several words in sequence
///
/// Prints one count for all documents together, or with --doc one count per document. Case matters,
/// unless --fold is given. Several words are a phrase: only separators may be between them. A word
/// that does not occur has the count 0.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram count texts.zgram whale
  zgram count texts.zgram --doc notes.txt white whale
  zgram count texts.zgram --doc '*' --fold whale        one count per document
  zgram count texts.zgram --prefix white whal           white, then any word that begins with whal
  zgram count texts.zgram --from phrases.txt            many phrases at once")]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The words, in sequence
    #[arg(required_unless_present = "from", value_name = "WORD")]
    pub(crate) words: Vec<OsString>,
    /// Count the phrases in this file, one per line; `-` is standard input
    #[arg(long, value_name = "PHRASES", value_hint = ValueHint::FilePath)]
    #[arg(conflicts_with_all = ["words", "prefix", "fold", "lower"])]
    pub(crate) from: Option<PathBuf>,
    /// Match all words that begin like the last one
    #[arg(long, conflicts_with = "documents")]
    pub(crate) prefix: bool,
    /// Count in this document, or in each that matches this pattern; may be repeated
    #[arg(short, long = "doc", value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
    #[command(flatten)]
    pub(crate) spelling: SpellingArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Which differences between words to ignore.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SpellingArgs {
    /// Ignore case, by Unicode case folding
    #[arg(long)]
    pub(crate) fold: bool,
    /// Ignore case, by comparing lower-case forms
    #[arg(long, conflicts_with = "fold", hide_short_help = true)]
    pub(crate) lower: bool,
}
