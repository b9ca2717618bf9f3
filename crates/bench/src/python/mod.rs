//! The Python benchmark: what the package `zgram` costs beside the libraries that people use today.
//!
//! Every program is a script of `benchmarks/python` in a process of its own. It prints what it had cost when
//! its imports were done and when its answer was in memory, so start-up counts in neither time nor the
//! comparison, and writes the hash of its answer. Answers to one question must be equal; if they are not, the
//! benchmark ends. [`calls`] measures what a single call costs; [`ask`] is the library's own time.

pub mod ask;
pub mod calls;
mod package;
mod page;
pub mod table;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::corpora::Corpus;
use crate::hardware;
use crate::head::{CorpusArgs, Head};
use crate::measure;
use crate::workspace;
use crate::zgram::{Setting, Zgram};
use calls::Calls;
use table::{Contestant, Program, Task};

/// How corpora are compressed: as users get it who choose nothing.
const SETTING: Setting = Setting { level: "default", grammar: "repair" };

/// What the user typed after `python`.
#[derive(Debug, Args)]
pub struct Options {
    /// What is measured.
    #[command(flatten)]
    pub inputs: CorpusArgs,

    /// Tasks to run [default: all].
    #[arg(long, value_name = "TASK,…", value_delimiter = ',')]
    pub task: Vec<Task>,

    /// Python with the packages of python/requirements.txt.
    #[arg(long, value_name = "PROGRAM", env = "ZGRAM_PYTHON", default_value = "python3")]
    pub python: PathBuf,

    /// The native module of the package [default: built from the workspace].
    #[arg(long, value_name = "FILE")]
    pub native: Option<PathBuf>,

    /// Keep compressed corpora in this folder and use those that are there already.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Run this many times, in turns, and keep the run of least processor time.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// The program that is started for the library's own time [default: this one].
    #[arg(skip)]
    pub program: Option<PathBuf>,

    /// Write the result to benchmarks/record: python.md, python.json and charts.
    #[arg(long)]
    pub record: bool,
}

/// One whole run of the benchmark.
#[derive(Debug, Serialize)]
pub struct Report {
    /// How it was made.
    #[serde(flatten)]
    pub head: Head,
    /// Libraries that are not installed, and how to get them.
    pub missing: Vec<String>,
    /// How many processes wanted a processor, on average over a minute, when the run began and ended.
    pub load_averages: Option<(f64, f64)>,
    /// What single calls cost.
    pub calls: Calls,
    /// Figures by corpus, in the order they were measured.
    pub corpora: Vec<CorpusFigures>,
}

/// All figures of one corpus.
#[derive(Debug, Serialize)]
pub struct CorpusFigures {
    /// Name of the corpus.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// Sum of the sizes of its documents.
    pub bytes: u64,
    /// Size of zgram's file.
    pub compressed_bytes: u64,
    /// Figures by task.
    pub tasks: Vec<TaskFigures>,
}

/// All who did one task.
#[derive(Debug, Serialize)]
pub struct TaskFigures {
    /// What was done.
    pub task: Task,
    /// One row per contestant.
    pub rows: Vec<Row>,
}

/// What one contestant did.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Who.
    pub name: &'static str,
    /// Whether this is the package's row, against which others are set.
    pub is_zgram: bool,
    /// What it cost.
    pub outcome: Outcome,
}

/// What became of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was finished.
    Done(Cost),
    /// It was not, for this reason.
    Not(String),
}

/// What an answer cost once libraries were loaded.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cost {
    /// Processor time of all threads.
    pub seconds: f64,
    /// Largest resident set of the process, libraries included.
    pub peak_bytes: u64,
    /// By how much it grew after libraries were loaded.
    pub grown_bytes: u64,
    /// How large the answer is, and its hash.
    pub answer: String,
}

/// What a script prints.
#[derive(Debug, Deserialize)]
struct Marks {
    imported: Mark,
    done: Mark,
}

#[derive(Debug, Deserialize)]
struct Mark {
    seconds: f64,
    peak: u64,
}

impl Cost {
    fn of_marks(printed: &str, answer: String) -> Result<Self> {
        let Marks { imported, done } = serde_json::from_str(printed)
            .with_context(|| format!("a script printed no costs: {printed:?}"))?;
        Ok(Self {
            seconds: done.seconds - imported.seconds,
            peak_bytes: done.peak,
            grown_bytes: done.peak - imported.peak.min(done.peak),
            answer,
        })
    }
}

impl Row {
    /// What it cost, if it was finished.
    #[must_use]
    pub fn cost(&self) -> Option<&Cost> {
        match &self.outcome {
            Outcome::Done(cost) => Some(cost),
            Outcome::Not(_) => None,
        }
    }
}

/// Runs the benchmark, prints the tables, and records them if asked to.
pub fn run(options: &Options) -> Result<()> {
    let root = workspace::root()?;
    let report = report(options, &root)?;
    println!("{}", report.markdown());
    if options.record {
        let folder = root.join("benchmarks/record");
        workspace::record(&folder, "python", &report.markdown(), &report)?;
        for chart in report.charts() {
            chart.write(&folder)?;
        }
    }
    Ok(())
}

/// Runs the benchmark with the scripts of the workspace at `root`.
pub fn report(options: &Options, root: &Path) -> Result<Report> {
    let paths = options.inputs.corpora(root)?;
    let before = hardware::load_average();
    let scratch = TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
    let package = package::prepare(root, options.native.as_deref(), scratch.path())?;
    let mut bench = Bench {
        options,
        zgram: options.inputs.zgram(root)?,
        python: Python {
            program: options.python.clone(),
            scripts: root.join("benchmarks/python"),
            package,
        },
        program: match &options.program {
            Some(program) => program.clone(),
            None => env::current_exe().context("this program has no path")?,
        },
        missing: Vec::new(),
    };
    let tools = bench.tools()?;
    let mut corpora = Vec::new();
    let mut calls = None;
    for path in &paths {
        let (figures, packed) = bench.measure_corpus(path, scratch.path())?;
        corpora.push(figures);
        if calls.is_none() {
            calls = Some(Calls::measure(&bench.python, &bench.program, &packed)?);
        }
    }
    Ok(Report {
        head: Head::new(options.as_typed(), tools),
        missing: bench.missing.into_iter().map(|(_, complaint)| complaint).collect(),
        load_averages: before.zip(hardware::load_average()),
        calls: calls.context("no corpora")?,
        corpora,
    })
}

/// Python, and where its scripts and the package are.
pub(crate) struct Python {
    program: PathBuf,
    scripts: PathBuf,
    package: PathBuf,
}

impl Python {
    /// The command of a script, or of Python's own options.
    pub(crate) fn command(&self, script: Option<&str>) -> Command {
        let mut command = Command::new(&self.program);
        command.args(script.map(|script| self.scripts.join(script)));
        command.env("PYTHONPATH", &self.package).stdin(Stdio::null());
        command
    }
}

/// Everyone who takes part, found and ready.
struct Bench<'a> {
    options: &'a Options,
    zgram: Zgram,
    python: Python,
    /// This program.
    program: PathBuf,
    /// Scripts whose library is not installed, and how to get it.
    missing: Vec<(&'static str, String)>,
}

impl Bench<'_> {
    /// The versions of all tools; notes those that are missing. The package must be there.
    fn tools(&mut self) -> Result<Vec<String>> {
        let mut tools = vec![self.zgram.version()?];
        for (library, script) in table::LIBRARIES {
            let asked = self.python.command(Some(script)).arg("--version").output();
            let asked =
                asked.with_context(|| format!("cannot start {}", self.python.program.display()))?;
            if asked.status.success() {
                tools.push(format!("{library} {}", String::from_utf8_lossy(&asked.stdout).trim()));
            } else if script == table::PACKAGE {
                bail!("the package cannot be imported: {}", String::from_utf8_lossy(&asked.stderr));
            } else {
                let complaint =
                    format!("{library} is not installed: pip install -r python/requirements.txt");
                eprintln!("MISSING: {complaint}");
                self.missing.push((script, complaint));
            }
        }
        Ok(tools)
    }

    fn measure_corpus(&self, path: &Path, scratch: &Path) -> Result<(CorpusFigures, PathBuf)> {
        let corpus = Corpus::open(path)?;
        let cache = self.options.cache.as_deref().unwrap_or(scratch);
        fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
        let packed =
            cache.join(format!("{}-{}.{}.zgram", corpus.name, corpus.bytes, SETTING.level));
        if !packed.exists() {
            eprintln!("{}: compressing", corpus.name);
            measure::once(&mut self.zgram.compress(SETTING, 2, &corpus.root, &packed))?;
        }
        let mut tasks = Vec::new();
        for task in Task::ALL {
            if self.options.task.is_empty() || self.options.task.contains(&task) {
                tasks.push(self.measure(task, &corpus, &packed, scratch)?);
            }
        }
        let figures = CorpusFigures {
            name: corpus.name.clone(),
            documents: corpus.documents.len(),
            bytes: corpus.bytes,
            compressed_bytes: fs::metadata(&packed)?.len(),
            tasks,
        };
        Ok((figures, packed))
    }

    fn measure(
        &self,
        task: Task,
        corpus: &Corpus,
        packed: &Path,
        scratch: &Path,
    ) -> Result<TaskFigures> {
        let mut rows: Vec<Row> = Vec::new();
        for run in 0..self.options.runs {
            for (number, contestant) in task.contestants().iter().enumerate() {
                eprintln!("{}: {}: {}", corpus.name, task.name(), contestant.name);
                let outcome = self.run(task, contestant, corpus, packed, scratch)?;
                match rows.get_mut(number) {
                    None => {
                        rows.push(Row { name: contestant.name, is_zgram: number == 0, outcome })
                    }
                    Some(row) => row.keep_better(outcome),
                }
            }
            if run == 0 {
                agree(&rows).with_context(|| format!("{}: {}", corpus.name, task.name()))?;
            }
        }
        Ok(TaskFigures { task, rows })
    }

    fn run(
        &self,
        task: Task,
        contestant: &Contestant,
        corpus: &Corpus,
        packed: &Path,
        scratch: &Path,
    ) -> Result<Outcome> {
        let answer = scratch.join("answer");
        let mut command = match contestant.program {
            Program::Library => {
                let cost = measure::once(&mut ask::command(&self.program, task, packed, &answer)?)?;
                let answer = fs::read_to_string(&answer)?.trim().to_owned();
                return Ok(Outcome::Done(Cost {
                    seconds: cost.cpu_seconds,
                    peak_bytes: cost.peak_rss_bytes,
                    grown_bytes: cost.peak_rss_bytes,
                    answer,
                }));
            }
            Program::Script(script) => {
                if let Some((_, why)) = self.missing.iter().find(|(missing, _)| *missing == script)
                {
                    return Ok(Outcome::Not(format!("**MISSING**: {why}")));
                }
                let source = if script == table::PACKAGE { packed } else { &corpus.root };
                let mut command = self.python.command(Some(script));
                command.arg(task.argument()).arg(source).arg(&answer);
                command
            }
        };
        let finished = command.output().with_context(|| format!("cannot start {command:?}"))?;
        if !finished.status.success() {
            bail!("{command:?} failed: {}", String::from_utf8_lossy(&finished.stderr).trim());
        }
        let said =
            fs::read_to_string(&answer).context("a script wrote no answer")?.trim().to_owned();
        fs::remove_file(&answer)?;
        Cost::of_marks(&String::from_utf8_lossy(&finished.stdout), said).map(Outcome::Done)
    }
}

impl Row {
    fn keep_better(&mut self, outcome: Outcome) {
        if let (Some(best), Outcome::Done(cost)) = (self.cost(), &outcome)
            && cost.seconds < best.seconds
        {
            self.outcome = outcome;
        }
    }
}

/// Fails unless all answers are equal.
fn agree(rows: &[Row]) -> Result<()> {
    let mut answers = rows.iter().filter_map(|row| Some((row.name, &row.cost()?.answer)));
    let Some((ours, first)) = answers.next() else { return Ok(()) };
    match answers.find(|(_, answer)| *answer != first) {
        Some((theirs, other)) => bail!("answers differ: {ours}: {first}, {theirs}: {other}"),
        None => Ok(()),
    }
}

impl Options {
    /// The command line for the head of the report.
    fn as_typed(&self) -> String {
        let mut words = self.inputs.as_typed("python");
        if !self.task.is_empty() {
            let tasks: Vec<&str> = self.task.iter().map(|task| task.argument()).collect();
            words.push(format!("--task {}", tasks.join(",")));
        }
        words.push(format!("--runs {}", self.runs));
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &'static str, answer: &str, seconds: f64) -> Row {
        let cost = Cost { seconds, peak_bytes: 2, grown_bytes: 1, answer: answer.to_owned() };
        Row { name, is_zgram: false, outcome: Outcome::Done(cost) }
    }

    #[test]
    fn start_up_does_not_count() {
        let printed =
            r#"{"imported": {"seconds": 1.5, "peak": 100}, "done": {"seconds": 2.0, "peak": 130}}"#;
        let cost = Cost::of_marks(printed, "9 rows".into()).unwrap();
        let expected =
            Cost { seconds: 0.5, peak_bytes: 130, grown_bytes: 30, answer: "9 rows".into() };
        assert_eq!(cost, expected);
        let error = Cost::of_marks("Traceback", String::new()).unwrap_err();
        assert!(format!("{error:#}").contains("Traceback"), "{error:#}");
    }

    #[test]
    fn answers_that_differ_end_the_run() {
        assert!(agree(&[row("zgram", "9 rows a", 1.0), row("polars", "9 rows a", 2.0)]).is_ok());
        let error = agree(&[row("zgram", "9 rows a", 1.0), row("polars", "9 rows b", 2.0)]);
        let error = error.unwrap_err().to_string();
        assert!(error.contains("zgram: 9 rows a, polars: 9 rows b"), "{error}");
    }

    #[test]
    fn the_best_run_is_kept() {
        let mut kept = row("zgram", "a", 2.0);
        for seconds in [3.0, 1.0, 1.5] {
            kept.keep_better(row("zgram", "a", seconds).outcome);
        }
        assert_eq!(kept.cost().unwrap().seconds, 1.0);
    }
}
