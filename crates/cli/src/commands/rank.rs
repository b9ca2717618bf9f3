//! `zgram rank`: the documents that match some words best.

use crate::analytics::{chosen, print_stats, view};
use crate::args::RankArgs;
use crate::complaint::Refusal;
use crate::human;
use crate::open::open_current;
use crate::printer::{Cell, Column, write_records};

use crate::reporter::Reporter;
use crate::text::visible;
use std::time::Instant;
use zgram::Corpus;
use zgram::analytics::{Bm25, Case, Query, Ranked, Ranker, View};

const ROWS: &[Column] = &[Column::score("score"), Column::name("document")];

const EXPLAINED: &[Column] = &[
    Column::score("score"),
    Column::name("document"),
    Column::name("word"),
    Column::count("documents"),
    Column::score("idf"),
    Column::count("count"),
    Column::count("length"),
    Column::score("contribution"),
];

pub(crate) fn run(args: &RankArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    let words: Vec<String> =
        args.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let view = view(&args.view)?;
    let query = query(&corpus, args, &words, view.clone())?.progress(reporter);
    let ranker = query.prepare()?;
    let rows = ranker.rank(&words, args.top)?;
    if rows.is_empty() {
        return Err(no_match(&words, &query, &view));
    }
    let table = corpus.documents()?;
    let name = |row: &Ranked| Cell::name(table.name(row.document).unwrap_or_default());
    if args.output.explain {
        write_records(EXPLAINED, &args.output, reporter, |sink| {
            for row in &rows {
                for word in ranker.explain(&words, row.document)? {
                    sink(&[
                        Cell::Score(row.score),
                        name(row),
                        Cell::name(word.word.as_bytes()),
                        Cell::Count(word.documents),
                        Cell::Score(word.idf),
                        Cell::Count(word.count),
                        Cell::Count(word.length),
                        Cell::Score(word.score),
                    ])?;
                }
            }
            Ok(())
        })?;
        reporter.notice(&means(&ranker));
    } else {
        write_records(ROWS, &args.output, reporter, |sink| {
            rows.iter().try_for_each(|row| sink(&[Cell::Score(row.score), name(row)]))
        })?;
    }
    reporter.clear();
    if args.output.stats {
        print_stats(&ranker.into_report(), opened, started.elapsed());
    }
    Ok(())
}

/// The query that options ask for.
fn query<'c>(
    corpus: &'c Corpus,
    args: &RankArgs,
    words: &[String],
    view: View,
) -> anyhow::Result<Query<'c, Bm25>> {
    let scoring = &args.scoring;
    let mut query = corpus
        .rank(words)
        .variant(scoring.variant.into())
        .k1(scoring.k1)
        .b(scoring.b)
        .delta(scoring.delta)
        .view(view)
        .threads(args.work.threads.or_all());
    if let Some(documents) = chosen(corpus, &args.documents)? {
        query = query.documents(documents);
    }
    if let Some(memory) = args.work.memory {
        query = query.memory(memory);
    }
    Ok(query)
}

/// The other two numbers that scores are made of.
fn means(ranker: &Ranker<'_>) -> String {
    let documents = human::count(ranker.documents() as u64);
    format!("{documents} documents, {:.2} words on average", ranker.mean_length())
}

/// Says that no document contains any of the words, and whether ignoring case would help.
fn no_match(words: &[String], query: &Query<'_, Bm25>, view: &View) -> anyhow::Error {
    let message = format!("no match for any of \"{}\"", visible(words.join(" ").as_bytes()));
    let folded = View { case: Case::Fold, ..view.clone() };
    let helps = || query.clone().view(folded).top(1).ranked().is_ok_and(|rows| !rows.is_empty());
    let hint = (view.case == Case::Keep && helps())
        .then(|| "documents match in another case; add --fold to ignore case".to_owned());
    Refusal::nothing_found(message, hint).into()
}
