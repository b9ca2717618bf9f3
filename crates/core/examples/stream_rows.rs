//! # Stream rows
//!
//! `rows()` collects a whole answer in memory. An inverted index of a large corpus has millions of
//! rows, so this example writes them while they are produced. We will:
//!
//! - turn batches of rows into lines of text, in several threads,
//! - write the lines in the order of the answer,
//! - read the report of the run.
//!
//! Run it with `cargo run -p zgram --example stream_rows`.

use std::io::Write;
use zgram::analytics::RowBatch;
use zgram::error::QueryError;
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, Corpus, compress};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // # A corpus
    //
    // Twenty small documents that repeat each other, as logs do.
    let scratch = tempfile::tempdir()?;
    let texts = scratch.path().join("logs");
    std::fs::create_dir(&texts)?;
    for day in 0..20 {
        let line = format!("day {day}: server started, server stopped\n");
        std::fs::write(texts.join(format!("{day:02}.log")), line.repeat(50))?;
    }
    let file = scratch.path().join("logs.zgram");
    compress(&Sources::new([&texts]), &file, &CompressOptions::default(), &Silent)?;
    let corpus = Corpus::open(&file)?;

    // # Encode and consume
    //
    // `for_each_batch` takes two functions. The first runs in several threads at once and turns a batch
    // of rows into anything you like; the second gets the results one after the other, in order. Rows
    // name documents by number, and the document table has the names.
    let documents = corpus.documents()?;
    let encode = |batch: &RowBatch<'_>| -> Vec<u8> {
        let mut lines = Vec::new();
        for row in batch.rows() {
            let name = row.document.and_then(|document| documents.name(document as usize));
            lines.extend_from_slice(&row.text());
            lines.push(b'\t');
            lines.extend_from_slice(name.unwrap_or_default());
            lines.extend_from_slice(format!("\t{}\n", row.count).as_bytes());
        }
        lines
    };
    let path = scratch.path().join("index.tsv");
    let mut out = std::io::BufWriter::new(std::fs::File::create(&path)?);
    let index = corpus.inverted_index().lower();
    let report = index.for_each_batch(encode, |lines| {
        out.write_all(&lines).map_err(|source| QueryError::Output { source })
    })?;
    out.flush()?;

    // # The report
    //
    // It says which traversal of the grammar was used, how long each phase took, and how many rows
    // there were.
    drop(out);
    let written = std::fs::read_to_string(&path)?;
    println!("{} rows, for example: {}", report.rows, written.lines().last().unwrap_or_default());
    assert_eq!(written.lines().count() as u64, report.rows);
    assert!(written.contains("server\t07.log\t100\n"));
    Ok(())
}
