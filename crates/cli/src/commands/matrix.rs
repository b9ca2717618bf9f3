//! `zgram matrix`: writes the matrix of documents and words.

use crate::analytics::{chosen, print_stats, view};
use crate::args::{MatrixArgs, MatrixFormat, TermArgs, ViewArgs, WorkArgs};
use crate::complaint::Refusal;
use crate::human;
use crate::open::open_current;
use crate::reporter::Reporter;
use crate::sparse_files::{Axis, MatrixFile};
use anyhow::Context;
use std::ffi::OsString;
use std::path::Path;
use std::time::Instant;
use zgram::Corpus;
use zgram::analytics::{MatrixRun, Query, TermMatrix, Terms};

pub(crate) fn run(args: &MatrixArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    let query = query(&corpus, &args.documents.chosen, &args.terms, &args.view, &args.work)?;
    let query = if args.binary { query.binary() } else { query };
    let run = query.progress(reporter).prepare()?;
    let output = &args.output;
    with_file(&run, run.cells(), output.format, "count", |file| {
        file.write(&output.output, output.force, |sink| {
            let row = |columns: &[u32], counts: &[u64]| {
                sink(columns, counts).map_err(|source| zgram::error::QueryError::Output { source })
            };
            Ok(run.for_each_row(row)?)
        })
    })?;
    reporter.conclude(&summary(&output.output, &run, run.cells()));
    if args.output.stats {
        print_stats(&run.into_report(), opened, started.elapsed());
    }
    Ok(())
}

/// What was written, in one line.
pub(super) fn summary(path: &Path, run: &MatrixRun<'_>, cells: u64) -> String {
    let rows = human::counted(run.row_count() as u64, "row");
    let columns = human::counted(run.terms().len() as u64, "column");
    format!("{}: {rows}, {columns}, {}", path.display(), human::counted(cells, "cell"))
}

/// The query that options ask for.
pub(super) fn query<'c>(
    corpus: &'c Corpus,
    documents: &[OsString],
    terms: &TermArgs,
    view_args: &ViewArgs,
    work: &WorkArgs,
) -> anyhow::Result<Query<'c, TermMatrix>> {
    let mut query = corpus.term_matrix().view(view(view_args)?).threads(work.threads.or_all());
    if let Some(documents) = chosen(corpus, documents)? {
        query = query.documents(documents);
    }
    if let Some(lengths) = &terms.ngrams {
        query = query.ngrams(lengths.clone());
    }
    if terms.gaps {
        query = query.gaps();
    }
    if let Some(limit) = terms.min_docs {
        query = query.min_docs(limit);
    }
    if let Some(limit) = terms.max_docs {
        query = query.max_docs(limit);
    }
    if let Some(count) = terms.min_count {
        query = query.min_count(count);
    }
    if let Some(features) = terms.max_features {
        query = query.max_features(features);
    }
    if let Some(path) = &terms.vocabulary {
        query = query.vocabulary(vocabulary(path)?);
    }
    if let Some(units) = &terms.by {
        query = query.by(units.clone());
    }
    if let Some(memory) = work.memory {
        query = query.memory(memory);
    }
    Ok(query)
}

/// The terms of a file, one per line.
fn vocabulary(path: &Path) -> anyhow::Result<Terms> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..at].iter().filter(|&&byte| byte == b'\n').count() + 1;
        let message = format!("{}: line {line} is not UTF-8", path.display());
        Refusal::error(message, "save the list as UTF-8, with one term per line")
    })?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(str::as_bytes).collect())
}

/// Passes on the file that the matrix of a run becomes.
pub(super) fn with_file<T>(
    run: &MatrixRun<'_>,
    cells: u64,
    format: MatrixFormat,
    value: &'static str,
    then: impl FnOnce(&MatrixFile<'_>) -> T,
) -> T {
    let row = |at: usize| run.row_name(at);
    let column = |at: usize| run.terms().get(at);
    let (rows, columns) = (run.row_count(), run.terms().len());
    then(&MatrixFile {
        format,
        rows: Axis { name: "document", len: rows, text: &row, suffix: Some(".documents.txt") },
        columns: Axis { name: "term", len: columns, text: &column, suffix: Some(".terms.txt") },
        cells: Some(cells),
        value,
    })
}
