//! The benchmark of random access and edits: zgram, seekable zstd and a tantivy index on one text.
//!
//! Everything runs in this process, on one thread and warm: what is measured is a query, not a start.
//! Queries are those of the paper (random-access section VI-A): 64 bytes at random offsets; words
//! drawn from a random document's vocabulary; insertions of about 64 bytes of words. Every answer of
//! the first hundred of each kind is compared with the text itself.

mod clock;
mod cold;
mod edits;
mod mixed;
mod pending;
mod reads;
mod seekable;
#[cfg(feature = "tantivy")]
mod tantivy_index;
mod texts;

use crate::corpora::Corpus;
use crate::hardware::Hardware;
use anyhow::{Context, Result};
use clap::Args;
use std::fmt::Write as _;
use std::path::PathBuf;
use tempfile::TempDir;
use texts::Texts;
use zgram::input::Sources;
use zgram::progress::Silent;
use zgram::{CompressOptions, compress};

/// What the user typed after `access`.
#[derive(Debug, Args)]
pub struct Options {
    /// Folders, files or NAME.tar.zst packages.
    #[arg(value_name = "PATH", required = true)]
    pub paths: Vec<PathBuf>,

    /// Measure only mixed batches on few documents
    #[arg(long, conflicts_with = "record")]
    pub mixed: bool,

    /// Write the result to benchmarks/record/access.md.
    #[arg(long)]
    pub record: bool,
}

/// One line of a table: what was measured, of what, and the figure with its unit.
struct Figure {
    what: String,
    tool: &'static str,
    value: String,
}

/// The figures of one corpus.
#[derive(Default)]
struct Figures(Vec<Figure>);

impl Figures {
    fn add(&mut self, what: impl Into<String>, tool: &'static str, value: String) {
        let what = what.into();
        eprintln!("  {what}, {tool}: {value}");
        self.0.push(Figure { what, tool, value });
    }
}

/// Runs the benchmark, prints the tables, and records them if asked to.
pub fn run(options: &Options) -> Result<()> {
    let paths: Vec<String> = options.paths.iter().map(|path| path.display().to_string()).collect();
    let mut report = format!(
        "# Random access and edits\n\nMade by `cargo run --release -p zgram-bench{} -- access {}`.\n\n\
         - Machine: {}\n\nReads on one thread, warm, in time of that thread; edits on all cores, in time on the wall. How to read it: `benchmarks/README.md`.\n",
        if cfg!(feature = "tantivy") { " --features tantivy" } else { "" },
        paths.join(" "),
        Hardware::of_this_machine().summary(),
    );
    for path in &options.paths {
        let corpus = Corpus::open(path)?;
        eprintln!("{}", corpus.name);
        let (figures, texts) = measure(&corpus, options.mixed)?;
        writeln!(
            report,
            "\n## {}\n\n{:.1} MB in {} documents.\n\n| what | tool | figure |\n|---|---|---:|",
            corpus.name,
            texts.bytes() as f64 / 1e6,
            texts.documents.len()
        )?;
        for Figure { what, tool, value } in figures.0 {
            writeln!(report, "| {what} | {tool} | {value} |")?;
        }
    }
    println!("{report}");
    if options.record {
        let path = crate::workspace::root()?.join("benchmarks/record/access.md");
        std::fs::write(&path, report)
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn measure(corpus: &Corpus, only_mixed: bool) -> Result<(Figures, Texts)> {
    let scratch = TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
    let sources = Sources::new([corpus.root.clone()]);
    let mut figures = Figures::default();
    let [plain, indexed] = [false, true].map(|index| {
        let path = scratch.path().join(if index { "indexed.zgram" } else { "plain.zgram" });
        let mut options = CompressOptions::default();
        options.index = index;
        options.threads = 1;
        compress(&sources, &path, &options, &Silent).map(|summary| (path, summary.compressed_bytes))
    });
    let (plain, plain_bytes) = plain?;
    let (indexed, indexed_bytes) = indexed?;
    let texts = Texts::read(&plain)?;
    mixed::measure(&texts, scratch.path(), &mut figures)?;
    if only_mixed {
        return Ok((figures, texts));
    }
    let share = |bytes: u64| {
        format!("{bytes} B, {:.2} % of the text", 100.0 * bytes as f64 / texts.bytes() as f64)
    };
    figures.add("size", "zgram", share(plain_bytes));
    figures.add("size with index", "zgram", share(indexed_bytes));
    figures.add(
        "size with index / without",
        "zgram",
        format!("{:.3}", indexed_bytes as f64 / plain_bytes as f64),
    );
    reads::measure(&plain, &indexed, &texts, &mut figures)?;
    seekable::measure(&texts, &share, &mut figures)?;
    #[cfg(feature = "tantivy")]
    tantivy_index::measure(&texts, scratch.path(), &share, &mut figures)?;
    cold::measure(&plain, &texts, &mut figures)?;
    edits::measure(&plain, &texts, &mut figures)?;
    pending::measure(&plain, &texts, &mut figures)?;
    Ok((figures, texts))
}
