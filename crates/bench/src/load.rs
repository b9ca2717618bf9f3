//! Loading: from a file on disk, in the system's cache, to a grammar that is ready to traverse.
//!
//! Measured through the library on one thread, without the start of a process: open, read the
//! dictionary, load every segment. Every query pays this first.
//!
//! Two ways are measured: with the root laid out in memory, as random access and repeated reading need
//! it, and with the root read once, block by block within the cache, as top-down counting and streams
//! need it.
//!
//! A child process does it, the hidden command `load`. Memory held by this process would raise the
//! measured peak of every child started later.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use zgram::Corpus;
use zgram::error::OpenError;

/// The arguments after `load`.
#[derive(Debug, Args)]
pub struct Options {
    /// A corpus file.
    pub file: PathBuf,

    /// What becomes of roots.
    #[arg(long, value_enum)]
    pub root: Root,
}

/// What becomes of roots.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Root {
    /// They are laid out in memory.
    LaidOut,
    /// They are read block by block, and their symbols counted.
    Tallied,
}

/// Measures here and prints the seconds: what the child does.
pub fn run(options: &Options) -> Result<()> {
    println!("{}", seconds(&options.file, options.root)?);
    Ok(())
}

/// Seconds that loading the file takes, measured by `program`, which is this one.
pub fn seconds_in_child(program: &Path, packed: &Path, root: Root) -> Result<f64> {
    let root = root.to_possible_value().expect("no value is hidden");
    let answer = Command::new(program)
        .args(["load", "--root", root.get_name()])
        .arg(packed)
        .stdin(Stdio::null())
        .output()
        .with_context(|| format!("cannot start {}", program.display()))?;
    if !answer.status.success() {
        bail!("{}", String::from_utf8_lossy(&answer.stderr).trim());
    }
    let said = String::from_utf8_lossy(&answer.stdout);
    said.trim().parse().with_context(|| format!("{said:?} is not a number of seconds"))
}

/// Loads are repeated until this has passed, and the fastest counts: the first ones warm the cache.
const ENOUGH: Duration = Duration::from_millis(500);
const AT_LEAST: u32 = 3;

/// Seconds that loading the file takes.
fn seconds(packed: &Path, root: Root) -> Result<f64> {
    let start = Instant::now();
    let mut fastest = f64::INFINITY;
    let mut loads = 0;
    while loads < AT_LEAST || start.elapsed() < ENOUGH {
        let one = Instant::now();
        load(packed, root).with_context(|| format!("cannot load {}", packed.display()))?;
        fastest = fastest.min(one.elapsed().as_secs_f64());
        loads += 1;
    }
    Ok(fastest)
}

fn load(packed: &Path, root: Root) -> Result<(), OpenError> {
    let corpus = Corpus::open(packed)?;
    corpus.dictionary()?;
    for segment in 0..corpus.facts().segments.len() {
        match root {
            Root::LaidOut => drop(std::hint::black_box(corpus.segment(segment)?)),
            Root::Tallied => drop(std::hint::black_box(corpus.segment_tally(segment)?)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_no_corpus_is_an_error_with_its_name() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for root in [Root::LaidOut, Root::Tallied] {
            let error = format!("{:#}", seconds(file.path(), root).unwrap_err());
            assert!(error.contains(file.path().to_str().unwrap()), "{error}");
        }
    }
}
