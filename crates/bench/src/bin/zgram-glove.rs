//! GloVe's way to count co-occurrences as a program: the rival of `zgram cooccurrence`.
//!
//! It prints the processor time of its parts as the scripts of `benchmarks/rivals` do: until the words were
//! counted, and until the pairs were.
#![forbid(unsafe_code)]

use std::cell::Cell;
use std::fs;
use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Parser;
use zgram_bench::glove::{Glove, Words, count};
use zgram_bench::measure::process_time;
use zgram_bench::raw::documents::{Source, Text};
use zgram_bench::raw::words::for_each_word;

/// Counts how often words occur near each other in plain files, as Stanford's vocab_count and cooccur do.
#[derive(Parser)]
#[command(name = "zgram-glove")]
struct Arguments {
    /// A folder or file of text.
    input: PathBuf,

    /// The folder for vocab.txt and cooccurrence.bin.
    #[arg(short, value_name = "DIR")]
    output: PathBuf,

    /// The largest distance.
    #[arg(long, default_value_t = 15)]
    window: usize,

    /// The fewest occurrences of a word.
    #[arg(long, default_value_t = 1)]
    min_count: u64,

    /// Count only words to the left.
    #[arg(long)]
    left: bool,

    /// A line of a text ends a line of GloVe's; otherwise only the end of a text does.
    #[arg(long)]
    lines: bool,

    /// Memory in GiB.
    #[arg(long, default_value_t = 4.0)]
    memory: f64,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let glove = Glove {
        window: arguments.window,
        symmetric: !arguments.left,
        min_count: arguments.min_count,
        memory: (arguments.memory * f64::from(1 << 30)) as u64,
    };
    fs::create_dir_all(&arguments.output)
        .with_context(|| format!("cannot make {}", arguments.output.display()))?;
    let imported = seconds();
    // The text is read twice: to count words, then pairs.
    let begun = Cell::new(imported);
    let read = |take: &mut Words<'_>| -> io::Result<()> {
        begun.set(seconds());
        let source = Source::files(&arguments.input).map_err(io::Error::other)?;
        let mut text = Text::default();
        while source.next(&mut text).map_err(io::Error::other)? {
            let ends_line = |byte: &u8| arguments.lines && *byte == b'\n';
            for line in text.bytes().split(ends_line) {
                let mut outcome = Ok(());
                for_each_word(line, |start, end| {
                    if outcome.is_ok() {
                        outcome = take(Some(&line[start..end]));
                    }
                });
                outcome.and_then(|()| take(None))?;
            }
        }
        Ok(())
    };
    let (words, cells) =
        count(read, &arguments.output, glove).context("cannot count co-occurrences")?;
    let (preprocessed, done) = (begun.get(), seconds());
    println!(
        r#"{{"imported": {imported}, "preprocessed": {preprocessed}, "done": {done}, "words": {words}, "cells": {cells}}}"#
    );
    Ok(())
}

/// Processor time of this process, where the system reports it.
fn seconds() -> f64 {
    process_time().unwrap_or_default().as_secs_f64()
}
