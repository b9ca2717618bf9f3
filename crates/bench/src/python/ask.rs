//! The library's own time, without Python: what the package's answers are set against.
//!
//! A child process does it, the hidden command `ask`, so that its memory is its own.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use zgram::Corpus;
use zgram::access::Phrase;
use zgram::analytics::{Case, Pattern, View};
use zgram::store::Store;

use super::table::Task;

/// The arguments after `ask`.
#[derive(Debug, Args)]
pub struct Options {
    #[command(subcommand)]
    question: Question,
}

#[derive(Debug, Subcommand)]
enum Question {
    /// Make the rows of all term vectors.
    Vectors {
        /// A corpus file.
        file: PathBuf,
        /// Where to write how many there are.
        answer: PathBuf,
    },
    /// Count words; print nanoseconds a word.
    Count {
        /// A corpus file.
        file: PathBuf,
        /// What to count, one after another.
        words: Vec<String>,
    },
}

/// Answers here: what the child does.
pub fn run(options: &Options) -> Result<()> {
    match &options.question {
        Question::Vectors { file, answer } => {
            fs::write(answer, format!("{} rows\n", grouped(vectors(file)?)))?;
        }
        Question::Count { file, words } => println!("{}", count(file, words)?),
    }
    Ok(())
}

/// The command of the child that does a task.
pub(super) fn command(program: &Path, task: Task, file: &Path, answer: &Path) -> Result<Command> {
    if task != Task::Vectors {
        bail!("the library is not asked for {}", task.name());
    }
    let mut command = child(program);
    command.arg("vectors").arg(file).arg(answer);
    Ok(command)
}

/// Nanoseconds that the library takes to count one of these words, measured in a child:
/// `program` is this one.
pub(super) fn nanoseconds(program: &Path, file: &Path, words: &[String]) -> Result<f64> {
    let answer = child(program)
        .arg("count")
        .arg(file)
        .args(words)
        .output()
        .context("cannot start a child")?;
    if !answer.status.success() {
        bail!("{}", String::from_utf8_lossy(&answer.stderr).trim());
    }
    let said = String::from_utf8_lossy(&answer.stdout);
    said.trim().parse().with_context(|| format!("{said:?} is not a number"))
}

fn child(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.arg("ask");
    command
}

/// The view of all scripts: words as scikit-learn finds them by default.
fn view() -> View {
    View { case: Case::Lower, pattern: Pattern::Sklearn, ..View::default() }
}

/// Rows of the term vectors, each made in full: word, count and document.
fn vectors(file: &Path) -> Result<u64> {
    let corpus = Corpus::open(file)?;
    let query = corpus.term_vector().view(view()).threads(1);
    let mut rows = 0;
    query.for_each_batch(
        |batch| {
            let (mut words, mut numbers) = (Vec::new(), Vec::new());
            for row in batch.rows() {
                row.words().for_each(|word| words.extend_from_slice(word));
                numbers.push((row.count, row.document));
            }
            black_box((words, numbers));
            batch.len() as u64
        },
        |batch| {
            rows += batch;
            Ok(())
        },
    )?;
    Ok(rows)
}

/// Words are counted until this has passed.
const ENOUGH: Duration = Duration::from_millis(500);

fn count(file: &Path, words: &[String]) -> Result<f64> {
    let store = Store::open(file)?;
    let mut best = f64::INFINITY;
    let started = Instant::now();
    while started.elapsed() < ENOUGH {
        let round = Instant::now();
        for word in words {
            black_box(store.count_all(&Phrase::new(word)?)?);
        }
        best = best.min(round.elapsed().as_nanos() as f64 / words.len() as f64);
    }
    Ok(best)
}

/// A number as the scripts write it: with commas.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut written = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            written.push(',');
        }
        written.push(digit);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn vectors_and_counts_are_those_of_the_text() {
        let folder = tempfile::tempdir().unwrap();
        let texts = folder.path().join("texts");
        fs::create_dir(&texts).unwrap();
        fs::write(texts.join("a.txt"), "The cat saw the cat").unwrap();
        fs::write(texts.join("b.txt"), "a cat").unwrap();
        let file = folder.path().join("t.zgram");
        let sources = zgram::input::Sources::new([texts]);
        let silent = zgram::progress::Silent;
        zgram::compress(&sources, &file, &Default::default(), &silent).unwrap();
        assert_eq!(vectors(&file).unwrap(), 4);
        let each = count(&file, &["cat".to_owned(), "saw".to_owned()]).unwrap();
        assert!(each > 0.0 && each < 1e9, "{each}");
    }
}
