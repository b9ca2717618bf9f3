//! `zgram count`: counts the occurrences of a word or phrase, or of many.

use super::{phrase, spelling_view, spellings};
use crate::args::CountArgs;
use crate::documents::find_all;
use crate::open::{open_store, read_stdin};
use crate::paths::is_dash;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use crate::text::visible;
use anyhow::Context;
use std::path::Path;
use zgram::access::Phrase;

pub(crate) fn run(args: &CountArgs, reporter: &Reporter) -> anyhow::Result<()> {
    if let Some(from) = &args.from {
        return count_list(args, from, reporter);
    }
    let phrase = phrase(&args.words)?;
    let store = open_store(&args.file, reporter)?;
    if args.prefix {
        let count = store.count_like(&phrase, spelling_view(args.spelling).as_ref(), true)?;
        let rows = vec![vec![Cell::Count(count)]];
        return Table { key: "count", columns: vec!["count"], rows }.print(args.format);
    }
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

/// Counts the phrases of a list, in its order. A line without words is refused, since nothing can be
/// counted for it.
fn count_list(args: &CountArgs, from: &Path, reporter: &Reporter) -> anyhow::Result<()> {
    let list = match is_dash(from) {
        true => read_stdin()?,
        false => std::fs::read(from).with_context(|| format!("cannot read {}", from.display()))?,
    };
    let list = list.strip_suffix(b"\n").unwrap_or(&list);
    let lines: Vec<&[u8]> = match list.is_empty() {
        true => Vec::new(),
        false => list.split(|&byte| byte == b'\n').collect(),
    };
    let phrases = lines.iter().zip(1..).map(|(line, number)| {
        Phrase::new(line).with_context(|| format!("line {number} of {}", from.display()))
    });
    let phrases = phrases.collect::<anyhow::Result<Vec<Phrase>>>()?;
    let store = open_store(&args.file, reporter)?;
    let text = |line: &[u8]| Cell::name(line.strip_suffix(b"\r").unwrap_or(line).to_vec());
    if args.documents.is_empty() {
        let counts = store.count_each(&phrases)?;
        let row = |(count, line): (u64, &&[u8])| vec![Cell::Count(count), text(line)];
        let rows = counts.into_iter().zip(&lines).map(row).collect();
        return Table { key: "counts", columns: vec!["count", "phrase"], rows }.print(args.format);
    }
    let documents = find_all(&store, &args.documents)?;
    let mut rows = Vec::new();
    for (phrase, line) in phrases.iter().zip(&lines) {
        for &number in &documents {
            let count = Cell::Count(store.count(number, phrase)?);
            rows.push(vec![count, Cell::name(store.name(number)?), text(line)]);
        }
    }
    let columns = vec!["count", "document", "phrase"];
    Table { key: "counts", columns, rows }.print(args.format)
}
