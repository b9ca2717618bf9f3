//! `zgram next`: the words that follow a phrase.

use super::{phrase, spelling_view};
use crate::args::NextArgs;
use crate::complaint::Refusal;
use crate::human;
use crate::open::open_store;
use crate::printer::{Cell, Table};
use crate::reporter::Reporter;
use crate::text::visible;

pub(crate) fn run(args: &NextArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let phrase = phrase(&args.words)?;
    let store = open_store(&args.file, reporter)?;
    let next = store.next_words(&phrase, spelling_view(args.spelling).as_ref(), args.prefix)?;
    if next.count == 0 {
        let words: Vec<String> =
            args.words.iter().map(|word| visible(word.as_encoded_bytes())).collect();
        let message = format!("no match for \"{}\"", words.join(" "));
        return Err(Refusal::nothing_found(message, None).into());
    }
    let row =
        |(word, count)| vec![Cell::Count(count), Cell::Share(count, next.count), Cell::name(word)];
    let rows = next.words.into_iter().take(args.top.unwrap_or(usize::MAX)).map(row).collect();
    let columns = vec!["count", "share", "word"];
    Table { key: "words", columns, rows }.print(args.format)?;
    if next.at_end > 0 {
        let (at_end, count) = (human::count(next.at_end), human::count(next.count));
        reporter.notice(&format!("{at_end} of {count} occurrences end a document"));
    }
    Ok(())
}
