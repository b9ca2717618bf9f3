//! Arguments of the commands that look for words.

use super::shared::{CorpusFile, Format};
use clap::Args;
use std::ffi::OsString;

/// Find a word, or several words in sequence
///
/// In all documents, or in those given with --doc. Case matters, unless --fold is given. Several words are a phrase: only
/// separators stand between them. Prints document, offset and length of each place; on a terminal,
/// or with -C, also the words around it.
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
    /// Only in this document, or those of this pattern; can be given several times
    #[arg(short, long = "doc", value_name = "DOC")]
    pub(crate) documents: Vec<OsString>,
    /// Words of context on each side; 6 on a terminal if not given
    #[arg(short = 'C', long, value_name = "N")]
    pub(crate) context: Option<usize>,
    #[command(flatten)]
    pub(crate) spelling: SpellingArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Count a word, or several words in sequence
///
/// In one document, in those that match a pattern, or with --all in all of them together. Case
/// matters, unless --fold is given. Several words are a phrase: only separators stand between them. A word that stands
/// nowhere has the count 0.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram count texts.zgram notes.txt whale
  zgram count texts.zgram '*.txt' white whale
  zgram count texts.zgram --all --fold whale")]
pub(crate) struct CountArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// The document (or a pattern), unless --all; then the words
    #[arg(required = true, value_name = "DOC|WORD")]
    pub(crate) terms: Vec<OsString>,
    /// Count in all documents together
    #[arg(short, long)]
    pub(crate) all: bool,
    #[command(flatten)]
    pub(crate) spelling: SpellingArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Which differences between words do not matter.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct SpellingArgs {
    /// Find words whatever their case, by Unicode case folding
    #[arg(long)]
    pub(crate) fold: bool,
    /// Find words whatever their case, by their lower-case forms
    #[arg(long, conflicts_with = "fold")]
    pub(crate) lower: bool,
}
