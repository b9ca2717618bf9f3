//! `zgram collocates`: lists the words that occur near a word.

use crate::analytics::{chosen, print_stats, view};
use crate::args::CollocatesArgs;
use crate::complaint::Refusal;
use crate::human;
use crate::open::open_current;
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use std::time::Instant;
use zgram::Corpus;
use zgram::analytics::Collocate;

const COLUMNS: &[Column] = &[
    Column::name("word"),
    Column::score("score"),
    Column::count("cooccurrences"),
    Column::count("count"),
];

pub(crate) fn run(args: &CollocatesArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    let mut query = corpus.collocates(args.word.as_str()).view(view(&args.view)?);
    query = query.threads(args.work.threads.or_all()).progress(reporter);
    query = query.window(args.window).measure(args.measure.into());
    query = query.boundary(args.boundary.into()).min_count(args.min_count);
    query = match (args.side.left, args.side.right) {
        (true, _) => query.left(),
        (_, true) => query.right(),
        _ => query,
    };
    if let Some(documents) = chosen(&corpus, &args.documents)? {
        query = query.documents(documents);
    }
    if let Some(rows) = args.top {
        query = query.top(rows);
    }
    if let Some(memory) = args.work.memory {
        query = query.memory(memory);
    }
    if args.output.explain {
        anstream::println!(
            "traversal  stream: the words near a word are counted in the order of the text"
        );
        return Ok(());
    }
    let (found, report) = query.collect_and_report()?;
    reporter.clear();
    if found.is_empty() && args.top != Some(0) {
        return Err(nothing_near(args, &corpus));
    }
    write_records(COLUMNS, &args.output, reporter, |sink| {
        found.into_iter().try_for_each(|Collocate { word, score, cooccurrences, count }| {
            let word = Cell::name(word);
            sink(&[word, Cell::Score(score), Cell::Count(cooccurrences), Cell::Count(count)])
        })
    })?;
    if args.output.stats {
        print_stats(&report, opened, started.elapsed());
    }
    Ok(())
}

/// Says that there are no rows, and why that may be.
fn nothing_near(args: &CollocatesArgs, corpus: &Corpus) -> anyhow::Error {
    if !is_one_word(&args.word) {
        let message = format!("\"{}\" is not one word", args.word);
        let hint = "a word has letters, digits and marks only; `zgram search` finds phrases";
        return Refusal::error(message, hint).into();
    }
    let ignores_case = args.view.fold || args.view.lower || args.view.sklearn;
    let hint = if ignores_case { None } else { other_case(&args.word, corpus) };
    let message = match args.min_count {
        0 | 1 => format!("no match for \"{}\"", args.word),
        least => {
            let least = human::count(least);
            format!("no word is near \"{}\" at least {least} times", args.word)
        }
    };
    Refusal::nothing_found(message, hint).into()
}

/// Whether some view can have it as one word: `snake_case` is one of scikit-learn's.
fn is_one_word(word: &str) -> bool {
    let is_separator = |letter: char| {
        letter.is_ascii() && !letter.is_ascii_alphanumeric() && letter != '_'
            || letter.is_whitespace()
    };
    !word.is_empty() && !word.contains(is_separator)
}

/// The hint that the word occurs in another case only, if it does.
fn other_case(word: &str, corpus: &Corpus) -> Option<String> {
    let occurrences = |word: &str, rows: &[zgram::analytics::Row]| {
        rows.iter().find(|row| row.words == word.as_bytes()).map_or(0, |row| row.count)
    };
    if occurrences(word, &corpus.word_count().rows().ok()?) > 0 {
        return None;
    }
    let times = match occurrences(&word.to_lowercase(), &corpus.word_count().fold().rows().ok()?) {
        0 => return None,
        1 => "once".to_owned(),
        times => format!("{} times", human::count(times)),
    };
    Some(format!("it occurs {times} in another case; add --fold to ignore case"))
}
