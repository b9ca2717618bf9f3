//! The analytics benchmark: time and peak memory of the six tasks, from files on disk to the answer
//! written, for zgram, for the raw rival, and for the tools people use.
//!
//! For every corpus, zgram compresses it once per level, and a tar of it is compressed by zstd;
//! making the tar reads every document, so every program finds its input in the system's cache. Then every
//! contestant answers every task into a file. zgram's rows must be raw's rows, in whatever order;
//! if they are not, the benchmark ends.

pub mod answers;
pub mod contestants;
pub mod figures;
pub mod goals;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use tempfile::TempDir;

use crate::corpora::Corpus;
use crate::head::{CorpusArgs, Head};
use crate::measure::{self, Measurement};
use crate::rivals::program_version;
use crate::tasks::{self, Task};
use crate::workspace;
use crate::zgram::{Setting, Zgram};
use answers::Digest;
use contestants::{Contestant, Inputs, LEVELS, Programs, SCRIPTS, TRAVERSALS};
use figures::{CorpusFigures, Outcome, Report, Row, TaskFigures};

/// Runs that take longer, in seconds, are not repeated.
const LONG: f64 = 5.0;

/// What the user typed after `analytics`.
#[derive(Debug, Args)]
pub struct Options {
    /// The corpora and the program.
    #[command(flatten)]
    pub inputs: CorpusArgs,

    /// Numbers of threads to answer with.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_values_t = [1, 2])]
    pub threads: Vec<u32>,

    /// Tasks to ask for [default: all].
    #[arg(long, value_name = "TASK,…", value_delimiter = ',', value_parser = tasks::parser())]
    pub task: Vec<Task>,

    /// A built zgram-raw program [default: built from the workspace].
    #[arg(long, value_name = "PROGRAM")]
    pub raw: Option<PathBuf>,

    /// Python for the rivals that need it.
    #[arg(long, value_name = "PROGRAM", env = "ZGRAM_PYTHON", default_value = "python3")]
    pub python: PathBuf,

    /// Keep compressed corpora in this folder and use those that are there already.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Ask this many times and keep the fastest; long answers are asked for once.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Stop a rival after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub patience: u32,

    /// Measure only contestants whose row name contains this, and raw; such a part is never recorded.
    #[arg(long, value_name = "TEXT", conflicts_with = "record")]
    pub only: Option<String>,

    /// Write the result to benchmarks/record/analytics.md and analytics.json.
    #[arg(long)]
    pub record: bool,
}

/// Runs the benchmark, prints the tables, and records them if asked to.
pub fn run(options: &Options) -> Result<()> {
    let root = workspace::root()?;
    let paths = options.inputs.corpora(&root)?;
    let (bench, tools, missing) = Bench::prepare(options, &root)?;
    let mut report =
        Report { head: Head::new(options.as_typed(), tools), missing, corpora: Vec::new() };
    for path in &paths {
        report.corpora.push(bench.measure_corpus(path)?);
    }
    println!("{}", report.markdown());
    if options.record {
        let folder = root.join("benchmarks/record");
        workspace::record(&folder, "analytics", &report.markdown(), &report)?;
    }
    Ok(())
}

/// All contestants, found and ready.
struct Bench<'a> {
    options: &'a Options,
    zgram: Option<Zgram>,
    programs: Programs,
    /// In the order of the table; raw comes first, because the others are compared with it.
    contestants: Vec<Contestant>,
    /// Those of them that are not installed.
    missing: Vec<&'static str>,
}

impl<'a> Bench<'a> {
    /// Also the tools' versions, and notes on those that are missing.
    fn prepare(options: &'a Options, root: &Path) -> Result<(Self, Vec<String>, Vec<String>)> {
        let wanted = |contestant: &Contestant| {
            let part = options.only.as_deref();
            matches!(contestant, Contestant::Raw)
                || part.is_none_or(|part| contestant.name().contains(part))
        };
        let contestants: Vec<_> = everyone().filter(wanted).collect();
        let has_zgram = contestants.iter().any(|one| matches!(one, Contestant::Zgram { .. }));
        let zgram = match has_zgram {
            true => Some(options.inputs.zgram(root)?),
            false => None,
        };
        let raw = match &options.raw {
            Some(program) => program
                .canonicalize()
                .with_context(|| format!("there is no program at {}", program.display()))?,
            None => workspace::build(root, "zgram-bench", "zgram-raw")?,
        };
        let programs = Programs {
            zgram: zgram.as_ref().map(|zgram| zgram.path().to_owned()),
            raw,
            python: options.python.clone(),
            scripts: root.join("benchmarks/rivals"),
        };

        let mut tools = Vec::new();
        if let Some(zgram) = &zgram {
            tools.push(zgram.version()?);
        }
        if contestants.iter().any(|one| matches!(one, Contestant::ZstdRaw)) {
            tools.push(format!("zstd {}", program_version("zstd", "zstd")?));
        }
        let (mut missing, mut complaints) = (Vec::new(), Vec::new());
        for contestant in &contestants {
            let Contestant::Script(script) = contestant else { continue };
            match script.version(&programs) {
                Ok(version) => tools.push(format!("{} {version}", script.name)),
                Err(error) => {
                    eprintln!("MISSING: {error}");
                    complaints.push(error.to_string());
                    missing.push(script.name);
                }
            }
        }
        Ok((Self { options, zgram, programs, contestants, missing }, tools, complaints))
    }

    fn measure_corpus(&self, path: &Path) -> Result<CorpusFigures> {
        let corpus = Corpus::open(path)?;
        let scratch =
            TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
        let cache = self.options.cache.as_deref().unwrap_or(scratch.path());
        fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
        let compressed = self.compress(&corpus, cache)?;
        let packed = scratch.path().join("corpus.tar.zst");
        pack(&corpus, scratch.path(), &packed)?;
        let inputs = Inputs { root: &corpus.root, packed: &packed, compressed: &compressed };

        let mut figures = CorpusFigures {
            name: corpus.name.clone(),
            documents: corpus.documents.len(),
            bytes: corpus.bytes,
            tasks: Vec::new(),
        };
        for task in Task::ALL {
            if self.options.task.is_empty() || self.options.task.contains(&task) {
                figures.tasks.push(self.measure_task(
                    task,
                    &corpus.name,
                    &inputs,
                    scratch.path(),
                )?);
            }
        }
        Ok(figures)
    }

    /// The corpus as zgram's files, by level.
    fn compress(&self, corpus: &Corpus, cache: &Path) -> Result<Vec<(&'static str, PathBuf)>> {
        let mut files = Vec::new();
        for level in LEVELS {
            let Some(zgram) = &self.zgram else { break };
            let file = cache.join(format!("{}-{}.{level}.zgram", corpus.name, corpus.bytes));
            if !file.exists() {
                eprintln!("{}: compressing, {level}", corpus.name);
                let setting = Setting { level, grammar: "repair" };
                measure::once(&mut zgram.compress(setting, 2, &corpus.root, &file))?;
            }
            files.push((level, file));
        }
        Ok(files)
    }

    fn measure_task(
        &self,
        task: Task,
        corpus: &str,
        inputs: &Inputs<'_>,
        scratch: &Path,
    ) -> Result<TaskFigures> {
        let mut figures = TaskFigures { task, answer_rows: 0, rows: Vec::new() };
        let mut expected = None;
        for &threads in &self.options.threads {
            for contestant in &self.contestants {
                if !contestant.answers(task, threads) {
                    continue;
                }
                let name = contestant.name();
                eprintln!("{corpus}: {}: {name}, threads: {threads}", task.name());
                let output = scratch.join("answer.tsv");
                let outcome = self.measure(contestant, task, threads, inputs, &output)?;
                if let (Outcome::Answered(_), Some(whose)) = (&outcome, checked(contestant)) {
                    let digest = Digest::of_file(&output)?;
                    figures.answer_rows = expected.get_or_insert(digest).rows;
                    if expected != Some(digest) {
                        bail!(
                            "{corpus}: {}: {whose} ({name}, threads: {threads}) gave {} rows that are \
                             not raw's {} rows",
                            task.name(),
                            digest.rows,
                            figures.answer_rows,
                        );
                    }
                }
                let (level, traversal) = match contestant {
                    Contestant::Zgram { level, traversal } => (Some(*level), *traversal),
                    _ => (None, None),
                };
                figures.rows.push(Row { tool: name, level, traversal, threads, outcome });
            }
        }
        Ok(figures)
    }

    /// Runs one contestant. A script that fails or a traversal that is refused gives a row that says
    /// so; any other failure ends the benchmark.
    fn measure(
        &self,
        contestant: &Contestant,
        task: Task,
        threads: u32,
        inputs: &Inputs<'_>,
        output: &Path,
    ) -> Result<Outcome> {
        let ask = || -> Result<Measurement> {
            let _ = fs::remove_file(output);
            let command = contestant.command(&self.programs, inputs, task, threads, output)?;
            let is_ours = !matches!(contestant, Contestant::Script(_));
            measure::once(&mut if is_ours { command } else { self.with_patience(&command) })
        };
        let may_fail = match contestant {
            Contestant::Script(script) if self.missing.contains(&script.name) => {
                return Ok(Outcome::Not("**MISSING**".to_owned()));
            }
            Contestant::Script(_) | Contestant::Zgram { traversal: Some(_), .. } => true,
            _ => false,
        };
        let mut best = match ask() {
            Ok(measured) => measured,
            Err(error) if may_fail => return Ok(Outcome::Not(self.reason(&error))),
            Err(error) => return Err(error),
        };
        for _ in 1..self.options.runs {
            if best.wall_seconds > LONG {
                break;
            }
            let next = ask()?;
            if next.wall_seconds < best.wall_seconds {
                best = next;
            }
        }
        Ok(Outcome::Answered(best))
    }

    /// The same command with a time limit.
    fn with_patience(&self, command: &Command) -> Command {
        let mut patient = Command::new("timeout");
        patient.arg(self.options.patience.to_string()).arg(command.get_program());
        patient.args(command.get_args()).stdout(std::process::Stdio::null());
        patient
    }

    /// Why there is no figure, in a few words that fit a table.
    fn reason(&self, error: &anyhow::Error) -> String {
        let message = format!("{error:#}");
        eprintln!("{message}");
        // The exit code of `timeout` for a command that it ended.
        if message.contains("exit status: 124") {
            return format!("over {} s", self.options.patience);
        }
        let last = message.lines().last().unwrap_or_default().replace('|', "/");
        format!("failed: {}", last.chars().take(80).collect::<String>())
    }
}

/// All contestants, raw first.
fn everyone() -> impl Iterator<Item = Contestant> {
    let own = LEVELS.map(|level| Contestant::Zgram { level, traversal: None });
    let forced = LEVELS.into_iter().flat_map(|level| {
        TRAVERSALS.map(|traversal| Contestant::Zgram { level, traversal: Some(traversal) })
    });
    let rivals = [Contestant::Raw, Contestant::ZstdRaw];
    rivals.into_iter().chain(own).chain(forced).chain(SCRIPTS.iter().map(Contestant::Script))
}

/// Whether its answer must equal raw's: raw itself with other threads or from a pipe, and zgram.
fn checked(contestant: &Contestant) -> Option<&'static str> {
    match contestant {
        Contestant::Raw | Contestant::ZstdRaw => Some("raw"),
        Contestant::Zgram { .. } => Some("zgram"),
        Contestant::Script(_) => None,
    }
}

/// Packs the corpus into a tar compressed by zstd at its default level.
fn pack(corpus: &Corpus, scratch: &Path, packed: &Path) -> Result<()> {
    let tar = scratch.join("corpus.tar");
    corpus.write_tar(&tar)?;
    let mut zstd = Command::new("zstd");
    zstd.args(["-q", "--long=27", "--rm", "-o"]).arg(packed).arg(&tar);
    measure::once(&mut zstd).context("packing the corpus with zstd failed")?;
    Ok(())
}

impl Options {
    /// The command line for the head of the report.
    fn as_typed(&self) -> String {
        let mut words = self.inputs.as_typed("analytics");
        let threads: Vec<_> = self.threads.iter().map(u32::to_string).collect();
        words.push(format!("--threads {}", threads.join(",")));
        if !self.task.is_empty() {
            let tasks: Vec<_> = self.task.iter().map(|task| task.name()).collect();
            words.push(format!("--task {}", tasks.join(",")));
        }
        words.push(format!("--runs {}", self.runs));
        if let Some(part) = &self.only {
            words.push(format!("--only '{part}'"));
        }
        if self.record {
            words.push("--record".to_owned());
        }
        words.join(" ")
    }
}
