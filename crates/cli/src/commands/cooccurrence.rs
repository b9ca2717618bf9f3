//! `zgram cooccurrence`: writes how often words occur near each other.

use crate::analytics::{chosen, print_stats, view};
use crate::args::{CooccurrenceArgs, CooccurrenceOutput, MatrixFormat};
use crate::complaint::Refusal;
use crate::destination::check_folder;
use crate::human;
use crate::open::open_current;
use crate::output_file::OutputFile;
use crate::paths::is_dash;
use crate::reporter::Reporter;
use crate::sparse_files::{Axis, MatrixFile};
use anyhow::Context;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;
use zgram::analytics::CooccurrenceRun;
use zgram::error::QueryError;

pub(crate) fn run(args: &CooccurrenceArgs, reporter: &Reporter) -> anyhow::Result<()> {
    let started = Instant::now();
    let corpus = open_current(&args.file.path, reporter)?;
    let opened = started.elapsed();
    let (pairs, output) = (&args.pairs, &args.output);
    let mut query = corpus.cooccurrence().view(view(&args.view)?);
    query = query.threads(args.work.threads.or_all()).progress(reporter);
    query = query.window(pairs.window).min_count(pairs.min_count);
    query = query.weighting(pairs.weighting.into()).boundary(pairs.boundary.into());
    if let Some(words) = pairs.max_vocab {
        query = query.max_vocab(words);
    }
    if pairs.upper_triangle {
        query = query.upper_triangle();
    }
    // GloVe's first word is the context: its left contexts are rows of words to the right.
    let is_glove = output.format.of_matrix().is_none();
    query = match (pairs.side.left, pairs.side.right) {
        (true, _) if is_glove => query.right(),
        (_, true) if is_glove => query.left(),
        (true, _) => query.left(),
        (_, true) => query.right(),
        _ => query.symmetric(),
    };
    if let Some(documents) = chosen(&corpus, &args.documents.chosen)? {
        query = query.documents(documents);
    }
    if let Some(memory) = args.work.memory {
        query = query.memory(memory);
    }
    let run = query.prepare()?;
    match output.format.of_matrix() {
        Some(format) => write_matrix(&run, format, output)?,
        None => write_glove(&run, output)?,
    }
    let words = human::counted(run.terms().len() as u64, "word");
    reporter.conclude(&format!("{}: co-occurrences of {words}", output.output.display()));
    if output.stats {
        print_stats(&run.into_report(), opened, started.elapsed());
    }
    Ok(())
}

fn write_matrix(
    run: &CooccurrenceRun<'_>,
    format: MatrixFormat,
    output: &CooccurrenceOutput,
) -> anyhow::Result<()> {
    let text = |at: usize| run.terms().get(at);
    let axis = |name, suffix| Axis { name, len: run.terms().len(), text: &text, suffix };
    let file = MatrixFile {
        format,
        rows: axis("word", Some(".terms.txt")),
        columns: axis("near", None),
        cells: None,
        value: "value",
    };
    file.write(&output.output, output.force, |sink| {
        let row = |columns: &[u32], values: &[f64]| {
            sink(columns, values).map_err(|source| QueryError::Output { source })
        };
        Ok(run.for_each_row(row)?)
    })
}

/// Writes what GloVe's programs `vocab_count` and `cooccur` write.
fn write_glove(run: &CooccurrenceRun<'_>, output: &CooccurrenceOutput) -> anyhow::Result<()> {
    let folder = &output.output;
    if is_dash(folder) {
        let message = "GloVe needs two files: words and co-occurrences";
        return Err(Refusal::error(message, "name the folder to write with -o").into());
    }
    check_folder(folder)?;
    let is_new = !folder.exists();
    if is_new {
        let made = std::fs::create_dir(folder);
        made.with_context(|| format!("cannot create the folder {}", folder.display()))?;
    }
    let written = write_glove_in(run, folder, output.force);
    if is_new && written.is_err() {
        // Only an empty folder goes; what stays in it is not ours.
        let _ = std::fs::remove_dir(folder);
    }
    written
}

fn write_glove_in(run: &CooccurrenceRun<'_>, folder: &Path, force: bool) -> anyhow::Result<()> {
    let mut words = OutputFile::open(Some(&folder.join("vocab.txt")), force, "vocab.txt")?;
    let name = "cooccurrence.bin";
    let mut pairs = OutputFile::open(Some(&folder.join(name)), force, name)?;
    let mut out = BufWriter::new(words.writer());
    for (term, count) in run.terms().iter().zip(run.counts()) {
        // GloVe's words end at white space.
        let visible = |byte: &u8| if byte.is_ascii_whitespace() { b'_' } else { *byte };
        out.write_all(&term.iter().map(visible).collect::<Vec<u8>>())?;
        writeln!(out, " {count}")?;
    }
    out.flush()?;
    drop(out);
    let out = pairs.writer();
    let mut records = Vec::new();
    let mut first = 0u32;
    run.for_each_row(|columns, values| {
        /// Bytes that are written at once.
        const TOGETHER: usize = 1 << 18;
        first += 1;
        records.reserve(16 * columns.len());
        for (&column, value) in columns.iter().zip(values) {
            let mut record = [0; 16];
            record[..4].copy_from_slice(&first.to_le_bytes());
            record[4..8].copy_from_slice(&(column + 1).to_le_bytes());
            record[8..].copy_from_slice(&value.to_le_bytes());
            records.extend_from_slice(&record);
        }
        if records.len() >= TOGETHER {
            out.write_all(&records).map_err(|source| QueryError::Output { source })?;
            records.clear();
        }
        Ok(())
    })?;
    out.write_all(&records)?;
    // The words first, so that a reader who sees the pairs also has the words.
    words.commit()?;
    pairs.commit()
}
