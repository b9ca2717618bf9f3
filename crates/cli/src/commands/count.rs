//! `zgram count`: how often a word or phrase stands in documents.

use super::{edit, open_store, phrase};
use crate::args::{CorpusFile, Format, SpellingArgs};
use crate::complaint::Refusal;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use clap::Args;
use std::ffi::OsString;

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
    file: CorpusFile,
    /// The document (or a pattern), unless --all; then the words
    #[arg(required = true, value_name = "DOC|WORD")]
    terms: Vec<OsString>,
    /// Count in all documents together
    #[arg(short, long)]
    all: bool,
    #[command(flatten)]
    spelling: SpellingArgs,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(args: &CountArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let (document, words) = match &args.terms[..] {
        words if args.all => (None, words),
        [document, words @ ..] if !words.is_empty() => (Some(document), words),
        _ => {
            let hint = "`zgram count FILE DOC WORD`, or `zgram count FILE --all WORD`";
            return Err(Refusal::error("no word to count", hint).into());
        }
    };
    let phrase = phrase(words)?;
    let store = open_store(&args.file, reporter)?;
    let phrases = args.spelling.phrases(&store, phrase)?;
    let Some(document) = document else {
        let count = phrases.iter().map(|phrase| store.count_all(phrase)).sum::<Result<u64, _>>()?;
        let rows = vec![vec![Cell::Count(count)]];
        return Table { key: "count", columns: &["count"], rows }.print(args.format);
    };
    let rows = edit::find_all(&store, std::slice::from_ref(document))?
        .into_iter()
        .map(|number| {
            let counts = phrases.iter().map(|phrase| store.count(number, phrase));
            let count = counts.sum::<Result<u64, _>>()?;
            Ok(vec![Cell::Count(count), Cell::Name(store.name(number)?)])
        })
        .collect::<anyhow::Result<_>>()?;
    Table { key: "counts", columns: &["count", "document"], rows }.print(args.format)
}
