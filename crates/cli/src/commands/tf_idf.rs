//! `zgram tf-idf`: the scores of words in documents, as rows or as a matrix.

use super::matrix::{query, summary, with_file};
use crate::analytics::print_stats;
use crate::args::MatrixFormat;
use crate::args::tasks::OutputArgs;
use crate::args::tf_idf::{NormName, Scheme, ScoreFormat, ScoreOutput, TfIdfArgs, WeightArgs};
use crate::complaint::Refusal;
use crate::open::open_current;
use crate::printer::{Cell, Column, write_records};
use crate::reporter::Reporter;
use std::io;
use std::time::Instant;
use zgram::analytics::{MatrixRun, Norm, SklearnTfIdf, TfIdf, WeightedRun};
use zgram::error::QueryError;

const COLUMNS: &[Column] =
    &[Column::name("document"), Column::name("word"), Column::score("score")];

pub(crate) fn run(args: &TfIdfArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let scheme = scheme(&args.weights)?;
    let format = args.output.format;
    if matches!(format, ScoreFormat::Matrix(_)) && args.top.is_some() {
        let message = "--top selects rows, and a matrix has all of them";
        return Err(Refusal::error(message, "leave out --top, or choose a format of rows").into());
    }
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    let query = query(&corpus, &args.documents.chosen, &args.terms, &args.view, &args.work)?;
    let counts = query.progress(reporter).prepare()?;
    let weights = counts.tf_idf(scheme)?;
    match format {
        ScoreFormat::Matrix(format) => {
            write_matrix(&counts, &weights, format, &args.output, reporter)?;
        }
        ScoreFormat::Rows(format) => {
            let ScoreOutput { output, force, stats, .. } = &args.output;
            let (force, stats) = (*force, *stats);
            let output = OutputArgs {
                format,
                output: output.clone(),
                force,
                stats,
                explain: false,
                plain_strings: false,
            };
            write_records(COLUMNS, &output, reporter, |sink| {
                write_rows(&counts, &weights, args.top, sink)
            })?;
        }
    }
    reporter.clear();
    if args.output.stats {
        print_stats(&counts.into_report(), opened, started.elapsed());
    }
    Ok(())
}

/// The scheme that options ask for.
fn scheme(args: &WeightArgs) -> anyhow::Result<TfIdf> {
    let options = SklearnTfIdf {
        use_idf: !args.no_idf,
        smooth_idf: !args.no_smooth,
        sublinear_tf: args.sublinear,
        fit_transform: !args.transform,
        norm: match args.norm {
            Some(NormName::None) => None,
            Some(NormName::L1) => Some(Norm::L1),
            Some(NormName::L2) | None => Some(Norm::L2),
        },
    };
    match args.scheme {
        Scheme::Sklearn => Ok(TfIdf::Sklearn(options)),
        _ if options != SklearnTfIdf::default() || args.norm.is_some() => {
            let message = "--sublinear, --no-smooth, --no-idf, --norm and --transform are options of scikit-learn";
            Err(Refusal::error(message, "add --scheme sklearn, or leave them out").into())
        }
        Scheme::Paper => Ok(TfIdf::Paper),
        Scheme::Gensim => Ok(TfIdf::Gensim),
    }
}

fn write_rows(
    counts: &MatrixRun<'_>,
    weights: &WeightedRun<'_, '_>,
    top: Option<usize>,
    sink: &mut crate::printer::Sink<'_>,
) -> anyhow::Result<()> {
    weights.for_each_ranked_row(top, |row, words| {
        for &(word, score) in words {
            let cells = [
                Cell::name(counts.row_name(row)),
                Cell::name(counts.terms().get(word as usize)),
                Cell::Score(score),
            ];
            sink(&cells).map_err(output_error)?;
        }
        Ok(())
    })?;
    Ok(())
}

fn write_matrix(
    counts: &MatrixRun<'_>,
    weights: &WeightedRun<'_, '_>,
    format: MatrixFormat,
    output: &ScoreOutput,
    reporter: &Reporter,
) -> anyhow::Result<()> {
    let Some(path) = &output.output else {
        let message = "a matrix needs files: one for its cells, one for each list of names";
        return Err(Refusal::error(message, "name the file to write with -o").into());
    };
    with_file(counts, weights.cells(), format, "score", |file| {
        file.write(path, output.force, |sink| {
            let row = |columns: &[u32], scores: &[f64]| {
                sink(columns, scores).map_err(|source| QueryError::Output { source })
            };
            Ok(weights.for_each_row(row)?)
        })
    })?;
    reporter.conclude(&summary(path, counts, weights.cells()));
    Ok(())
}

/// A failure to write, as the error that consumers of rows return.
fn output_error(error: anyhow::Error) -> QueryError {
    let source = error.downcast::<io::Error>().unwrap_or_else(io::Error::other);
    QueryError::Output { source }
}
