//! `zgram count`: counts the occurrences of a word or phrase.

use super::{phrase, spellings};
use crate::args::CountArgs;
use crate::documents::find_all;
use crate::open::open_store;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use crate::text::visible;

pub(crate) fn run(args: &CountArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let phrase = phrase(&args.words)?;
    let store = open_store(&args.file, reporter)?;
    let phrases = spellings(args.spelling, &store, phrase)?;
    if args.documents.is_empty() {
        let count = phrases.iter().map(|phrase| store.count_all(phrase)).sum::<Result<u64, _>>()?;
        let first = args.words[0].as_encoded_bytes();
        if count == 0 && args.words.len() > 1 && store.find(first)?.is_some() {
            let name = visible(first);
            reporter.notice(&format!("{name} is a document; to count in it, add --doc {name}"));
        }
        let rows = vec![vec![Cell::Count(count)]];
        return Table { key: "count", columns: vec!["count"], rows }.print(args.format);
    }
    let rows = find_all(&store, &args.documents)?
        .into_iter()
        .map(|number| {
            let counts = phrases.iter().map(|phrase| store.count(number, phrase));
            let count = counts.sum::<Result<u64, _>>()?;
            Ok(vec![Cell::Count(count), Cell::name(store.name(number)?)])
        })
        .collect::<anyhow::Result<_>>()?;
    Table { key: "counts", columns: vec!["count", "document"], rows }.print(args.format)
}
