//! `zgram count`: how often a word or phrase stands in documents.

use super::{phrase, spellings};
use crate::args::CountArgs;
use crate::complaint::Refusal;
use crate::documents::find_all;
use crate::open::open_store;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;

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
    let phrases = spellings(args.spelling, &store, phrase)?;
    let Some(document) = document else {
        let count = phrases.iter().map(|phrase| store.count_all(phrase)).sum::<Result<u64, _>>()?;
        let rows = vec![vec![Cell::Count(count)]];
        return Table { key: "count", columns: &["count"], rows }.print(args.format);
    };
    let rows = find_all(&store, std::slice::from_ref(document))?
        .into_iter()
        .map(|number| {
            let counts = phrases.iter().map(|phrase| store.count(number, phrase));
            let count = counts.sum::<Result<u64, _>>()?;
            Ok(vec![Cell::Count(count), Cell::Name(store.name(number)?)])
        })
        .collect::<anyhow::Result<_>>()?;
    Table { key: "counts", columns: &["count", "document"], rows }.print(args.format)
}
