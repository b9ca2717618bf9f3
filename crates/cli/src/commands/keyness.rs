//! `zgram keyness`: the words that set a corpus, or some documents, apart.

use crate::analytics::{chosen, view};
use crate::args::KeynessArgs;
use crate::complaint::Refusal;
use crate::open::open_current;
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;

const COLUMNS: &[Column] = &[
    Column::name("word"),
    Column::score("score"),
    Column::count("count_a"),
    Column::count("count_b"),
    Column::score("per_million_a"),
    Column::score("per_million_b"),
];

pub(crate) fn run(args: &KeynessArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let corpus = open_current(&args.file.path, reporter)?;
    let other = args.other.as_ref().map(|path| open_current(path, reporter)).transpose()?;
    let mut query = corpus
        .keyness()
        .measure(args.measure.into())
        .min_count(args.min_count)
        .reverse(args.reverse)
        .view(view(&args.view)?)
        .threads(args.work.threads.or_all())
        .progress(reporter);
    if let Some(documents) = chosen(&corpus, &args.target)? {
        query = query.documents(documents);
    }
    if let Some(documents) = chosen(other.as_ref().unwrap_or(&corpus), &args.reference)? {
        query = query.reference_documents(documents);
    }
    if let Some(other) = &other {
        query = query.against(other);
    }
    if let Some(top) = args.top {
        query = query.top(top);
    }
    if let Some(memory) = args.work.memory {
        query = query.memory(memory);
    }
    let rows = query.key_words()?;
    if rows.is_empty() && args.top != Some(0) {
        let message = format!("no rows: no word occurs {} times or more", args.min_count);
        return Err(Refusal::nothing_found(message, Some("lower --min-count".to_owned())).into());
    }
    write_records(COLUMNS, &args.output, reporter, |sink| {
        rows.iter().try_for_each(|row| {
            sink(&[
                Cell::name(row.word.as_slice()),
                Cell::Score(row.score),
                Cell::Count(row.count),
                Cell::Count(row.reference_count),
                Cell::Score(row.per_million),
                Cell::Score(row.reference_per_million),
            ])
        })
    })?;
    reporter.clear();
    Ok(())
}
