//! What it costs to keep a corpus in several files: size, and the time of tasks.
//!
//! The documents are divided into groups of about equal text, and each group is compressed alone, as
//! several machines would. Then the same commands are given the folder of these files, and one file of all
//! documents. Their answers must be equal.

use crate::corpora::Corpus;
use crate::hardware::Hardware;
use crate::measure::{Measurement, fastest};
use crate::workspace;
use crate::zgram::Zgram;
use anyhow::{Context, Result, ensure};
use clap::Args;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tempfile::TempDir;
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, compress};

/// What the user typed after `shards`.
#[derive(Debug, Args)]
pub struct Options {
    /// Folders, files or NAME.tar.zst packages.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Numbers of files to try.
    #[arg(short = 'n', long, value_name = "N", value_delimiter = ',', default_value = "2,8")]
    pub files: Vec<usize>,

    /// Run everything this often and keep the fastest.
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub runs: u32,

    /// A built zgram program [default: built from the workspace].
    #[arg(long, value_name = "PROGRAM")]
    pub zgram: Option<PathBuf>,

    /// Write the result to benchmarks/record/shards.md.
    #[arg(long)]
    pub record: bool,
}

/// The commands that are compared.
const TASKS: [&[&str]; 4] =
    [&["word-count"], &["inverted-index"], &["term-vector"], &["sequence-count"]];

/// Runs the benchmark, prints the tables, and records them if asked to.
pub fn run(options: &Options) -> Result<()> {
    let root = workspace::root()?;
    let zgram = match &options.zgram {
        Some(program) => Zgram::at(program)?,
        None => Zgram::build(&root)?,
    };
    let paths: Vec<String> = options.paths.iter().map(|path| workspace::shown(path)).collect();
    let mut report = format!(
        "# Corpora in several files\n\nMade by `cargo run --release -p zgram-bench -- shards {}`.\n\n\
         - Machine: {}\n- Tools: {}\n\nThe time of a command on a folder of files, divided by its time on one \
         file of all documents, and both in seconds, the fastest of {} runs. How to read it: \
         `benchmarks/README.md`.\n",
        paths.join(" "),
        Hardware::of_this_machine().summary(),
        zgram.version()?,
        options.runs,
    );
    for path in &options.paths {
        let corpus = Corpus::open(path)?;
        eprintln!("{}", corpus.name);
        writeln!(
            report,
            "\n## {}\n\n{:.1} MB in {} documents.\n\n| files | what | one file | several | ratio |\n\
             |---:|---|---:|---:|---:|",
            corpus.name,
            corpus.bytes as f64 / 1e6,
            corpus.documents.len()
        )?;
        for &files in &options.files {
            measure(&corpus, files, &zgram, options.runs, &mut report)?;
        }
    }
    println!("{report}");
    if options.record {
        let path = root.join("benchmarks/record/shards.md");
        fs::write(&path, report).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn measure(
    corpus: &Corpus,
    files: usize,
    zgram: &Zgram,
    runs: u32,
    report: &mut String,
) -> Result<()> {
    let scratch = TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
    let [one, shards] = ["one.zgram", "shards"].map(|name| scratch.path().join(name));
    fs::create_dir(&shards)?;
    let pack = |texts: &Path, output: &Path| {
        let sources = Sources::new([texts]);
        compress(&sources, output, &CompressOptions::default(), &Silent)
            .map(|summary| summary.compressed_bytes)
    };
    let mut groups = Vec::new();
    for (number, group) in groups_of(corpus, files)?.iter().enumerate() {
        let texts = scratch.path().join(format!("texts {number}"));
        group.iter().try_for_each(|name| link(corpus, name, &texts))?;
        groups.push(texts);
    }
    let all = scratch.path().join("texts");
    let documents: Vec<&PathBuf> = corpus.documents.iter().collect();
    documents.iter().try_for_each(|name| link(corpus, name, &all))?;
    let before = pack(&all, &one)?;
    let mut after = 0;
    for (number, texts) in groups.iter().enumerate() {
        after += pack(texts, &shards.join(format!("{number:04}.zgram")))?;
    }
    let mut row = |what: &str, one: String, several: String, ratio: f64| {
        eprintln!("  {files} files, {what}: {one}, {several}, {ratio:.3}");
        writeln!(report, "| {files} | {what} | {one} | {several} | {ratio:.3} |")
    };
    row("size, bytes", before.to_string(), after.to_string(), after as f64 / before as f64)?;
    for task in TASKS {
        let answers = ["one.txt", "several.txt"].map(|name| scratch.path().join(name));
        let mut times = [0.0; 2];
        for ((input, answer), time) in [&one, &shards].into_iter().zip(&answers).zip(&mut times) {
            let Measurement { wall_seconds, .. } = fastest(runs, || {
                let mut command = zgram.command(task[0]);
                command.arg(input).args(&task[1..]).args(["-q", "--format", "tsv"]);
                command.stdout(Stdio::from(File::create(answer)?));
                Ok(command)
            })?;
            *time = wall_seconds;
        }
        let [first, second] = answers.map(fs::read);
        ensure!(first? == second?, "{task:?} has another answer for {files} files");
        let [before, after] = times;
        row(task[0], format!("{before:.3}"), format!("{after:.3}"), after / before)?;
    }
    Ok(())
}

/// The documents in groups of about equal text, in order.
fn groups_of(corpus: &Corpus, groups: usize) -> Result<Vec<Vec<&PathBuf>>> {
    ensure!(groups > 0 && groups <= corpus.documents.len(), "too few documents for {groups} files");
    let mut all: Vec<Vec<&PathBuf>> = vec![Vec::new()];
    let mut before = 0;
    for (number, name) in corpus.documents.iter().enumerate() {
        let size = fs::metadata(corpus.root.join(name))?.len();
        let (made, left) = (all.len(), corpus.documents.len() - number);
        let is_full = (before + size / 2) * groups as u64 >= corpus.bytes * made as u64;
        if made < groups && !all[made - 1].is_empty() && (is_full || left == groups - made) {
            all.push(Vec::new());
        }
        let last = all.len() - 1;
        all[last].push(name);
        before += size;
    }
    Ok(all)
}

/// Gives a document another place without copying it, if the file system can.
fn link(corpus: &Corpus, name: &Path, folder: &Path) -> Result<()> {
    let (from, to) = (corpus.root.join(name), folder.join(name));
    fs::create_dir_all(to.parent().context("a document has a folder")?)?;
    if fs::hard_link(&from, &to).is_err() {
        fs::copy(&from, &to).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_have_about_equal_text() {
        let folder = TempDir::new().unwrap();
        for (name, size) in [("a", 1), ("b", 1), ("c", 1), ("d", 9), ("e", 6)] {
            fs::write(folder.path().join(name), "x".repeat(size)).unwrap();
        }
        let corpus = Corpus::open(folder.path()).unwrap();
        let sizes = |groups| {
            let groups = groups_of(&corpus, groups).unwrap();
            groups.iter().map(Vec::len).collect::<Vec<_>>()
        };
        assert_eq!(sizes(1), [5]);
        assert_eq!(sizes(2), [4, 1]);
        assert_eq!(sizes(5), [1; 5]);
        assert!(groups_of(&corpus, 6).is_err());
    }
}
