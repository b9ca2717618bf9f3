//! Turns flags into a query, runs it and writes its rows.

use super::output::{Columns, Output, write_lists, write_numbers};
use super::{stats, view};
use crate::args::tasks::{
    By, CollationName, Common, InvertedIndexArgs, NumberColumn, RankedInvertedIndexArgs,
    SequenceCountArgs, SortArgs, TermVectorArgs, UnitArgs, WordCountArgs,
};
use crate::complaint::Refusal;
use crate::documents::choose;
use crate::gpu::{self, Gpu};
use crate::human;
use crate::open::open_current;
use crate::reporter::Reporter;
use anyhow::Context;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::Instant;
use zgram::Corpus;
use zgram::analytics::{Collation, OfDocuments, Query, Question, Report, SortBy};
use zgram::plumbing::{Tree, chain};
use zgram::store::DocumentEntry;

pub(crate) fn word_count(args: &WordCountArgs, reporter: &Reporter) -> anyhow::Result<()> {
    ask(&args.common, &args.numbers.columns, reporter, |corpus| corpus.word_count())
}

pub(crate) fn sort(args: &SortArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let by = match args.by {
        By::Word => SortBy::Word,
        By::Count => SortBy::Count,
    };
    let collation = match args.collation {
        CollationName::Bytes => Collation::Bytes,
        CollationName::Unicode => Collation::Unicode,
    };
    ask(&args.common, &args.numbers.columns, reporter, |corpus| {
        corpus.sort().by(by).reverse(args.reverse).collation(collation)
    })
}

pub(crate) fn inverted_index(args: &InvertedIndexArgs, reporter: &Reporter) -> anyhow::Result<()> {
    if args.documents_only {
        return list_documents(args, reporter);
    }
    ask(&args.common, &[], reporter, |corpus| by(corpus.inverted_index(), &args.units))
}

pub(crate) fn term_vector(args: &TermVectorArgs, reporter: &Reporter) -> anyhow::Result<()> {
    ask(&args.common, &[], reporter, |corpus| by(corpus.term_vector(), &args.units))
}

pub(crate) fn sequence_count(args: &SequenceCountArgs, reporter: &Reporter) -> anyhow::Result<()> {
    ask(&args.common, &args.columns, reporter, |corpus| {
        let query = corpus.sequence_count().words(args.sequence.n);
        let query = if args.sequence.gaps { query.gaps() } else { query };
        by(if args.corpus { query.of_corpus() } else { query }, &args.units)
    })
}

pub(crate) fn ranked_inverted_index(
    args: &RankedInvertedIndexArgs,
    reporter: &Reporter,
) -> anyhow::Result<()> {
    ask(&args.common, &[], reporter, |corpus| {
        let query = corpus.ranked_inverted_index().words(args.sequence.n);
        by(if args.sequence.gaps { query.gaps() } else { query }, &args.units)
    })
}

/// Counts units in place of documents, if asked for.
fn by<'c, Q: OfDocuments>(query: Query<'c, Q>, args: &UnitArgs) -> Query<'c, Q> {
    match &args.by {
        Some(units) => query.by(units.clone()),
        None => query,
    }
}

/// The documents that names and patterns choose; `None` for all.
pub(crate) fn chosen(corpus: &Corpus, names: &[OsString]) -> anyhow::Result<Option<Vec<usize>>> {
    if names.is_empty() {
        return Ok(None);
    }
    let entry = |(number, (name, size)): (usize, (&[u8], u64))| DocumentEntry {
        number,
        name: name.to_owned(),
        size,
    };
    let entries: Vec<DocumentEntry> = corpus.documents()?.iter().enumerate().map(entry).collect();
    Ok(Some(choose(&entries, names)?))
}

fn ask<Q, F>(
    args: &Common,
    numbers: &[NumberColumn],
    reporter: &Reporter,
    question: F,
) -> anyhow::Result<()>
where
    Q: Clone + Into<Question>,
    F: for<'c> FnOnce(&'c Corpus) -> Query<'c, Q>,
{
    let started = Instant::now();
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    // Declared here because the query borrows it.
    let gpu: Option<Gpu>;
    let mut query = refine(question(&corpus), args, &corpus, reporter)?;
    if numbers.contains(&NumberColumn::Documents) {
        query = query.document_counts();
    }
    let decision = query.explain();
    if args.output.explain {
        anstream::println!("{decision}");
        return Ok(());
    }
    let question = query.question();
    let way = (&decision, args.running.traversal.into());
    gpu = gpu::choose(&args.running.engine, &corpus, &question, way, reporter)?;
    if let Some(gpu) = &gpu {
        query = query.accelerator(gpu.accelerator(), gpu.falls_back());
    }
    let columns =
        Columns { sequences: question.words_a_row() > 1, documents: question.has_documents() };
    let report = if numbers.is_empty() {
        Output::new(&args.output, columns, &query.row_names()?)?.write(&query, reporter)?
    } else {
        write_numbers(&query, columns, numbers, &args.output, reporter)?
    };
    reporter.clear();
    if args.output.stats {
        stats::print(&report, opened, started.elapsed());
        gpu.iter().for_each(Gpu::print_stats);
    }
    conclude(&report, args, reporter)
}

/// Lists the documents of every word.
fn list_documents(args: &InvertedIndexArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let common = &args.common;
    let corpus = open_current(&common.file.path, reporter)?;
    let opened = started.elapsed();
    let query = refine(by(corpus.inverted_index(), &args.units), common, &corpus, reporter)?;
    let query = query.documents_only();
    if common.output.explain {
        anstream::println!("{}", query.explain());
        return Ok(());
    }
    let report = write_lists(&query, &common.output, reporter)?;
    reporter.clear();
    if common.output.stats {
        stats::print(&report, opened, started.elapsed());
    }
    conclude(&report, common, reporter)
}

/// Applies the options that all tasks have.
fn refine<'c, Q: Clone + Into<Question>>(
    query: Query<'c, Q>,
    args: &Common,
    corpus: &Corpus,
    reporter: &'c Reporter,
) -> anyhow::Result<Query<'c, Q>> {
    let mut query = query
        .traversal(args.running.traversal.into())
        .view(view::view(&args.view)?)
        .threads(args.running.threads.or_all())
        .keep_going(args.running.keep_going)
        .progress(reporter);
    if let Some(documents) = chosen(corpus, &args.documents.chosen)? {
        query = query.documents(documents);
    }
    if let Some(top) = args.top {
        query = query.top(top);
    }
    if let Some(count) = args.limits.min_count {
        query = query.min_count(count);
    }
    if let Some(limit) = args.limits.min_docs {
        query = query.min_docs(limit);
    }
    if let Some(limit) = args.limits.max_docs {
        query = query.max_docs(limit);
    }
    if let Some(memory) = args.running.memory {
        query = query.memory(memory);
    }
    if let Some(path) = &args.running.tree {
        let name = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
        let tree: Tree = text.parse().with_context(|| format!("{name} is not a decision tree"))?;
        query = query.tree(Arc::new(tree));
    }
    Ok(query)
}

/// Says what went wrong on the way to an answer.
fn conclude(report: &Report, args: &Common, reporter: &Reporter) -> anyhow::Result<()> {
    for reason in &report.failures {
        reporter.notice(&format!("the GPU failed, so the CPU did the work: {reason}"));
    }
    match report.damaged.len() {
        0 if report.rows == 0 && args.top != Some(0) => {
            let message =
                "no rows: the chosen documents have no word or sequence that passes the options";
            Err(Refusal::nothing_found(message, None).into())
        }
        0 => Ok(()),
        damaged => {
            for error in &report.damaged {
                reporter.notice(&chain(error));
            }
            let skipped = human::counted(damaged as u64, "damaged segment");
            let message = format!("skipped {skipped}");
            Err(Refusal::error(message, "get the file again from where it came from").into())
        }
    }
}
