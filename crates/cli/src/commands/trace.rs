//! `zgram trace`: the passages of a text that occur in the corpus.

use crate::args::TraceArgs;
use crate::complaint::Refusal;
use crate::open::{open_store, read_stdin};
use crate::paths::is_dash;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use anyhow::Context;

pub(crate) fn run(args: &TraceArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let text = match is_dash(&args.text) {
        true => read_stdin()?,
        false => std::fs::read(&args.text)
            .with_context(|| format!("cannot read {}", args.text.display()))?,
    };
    let store = open_store(&args.file, reporter)?;
    let mut rows = Vec::new();
    for passage in store.trace(&text, args.least, args.places.max(1))? {
        for &(document, place) in &passage.places {
            rows.push(vec![
                Cell::Count(passage.offset as u64),
                Cell::Count(passage.len as u64),
                Cell::Count(passage.words as u64),
                Cell::Count(passage.count),
                Cell::name(store.name(document)?),
                Cell::Count(place.offset),
            ]);
        }
    }
    if rows.is_empty() {
        let message = format!("no passage of {} words or more occurs", args.least);
        return Err(Refusal::nothing_found(message, None).into());
    }
    let columns = vec!["offset", "length", "words", "count", "document", "at"];
    Table { key: "passages", columns, rows }.print(args.format)
}
