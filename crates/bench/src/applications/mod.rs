//! The applications benchmark: what people make of counted words, by zgram from its compressed file and
//! by the tools they use today from plain files.
//!
//! For every corpus, zgram compresses it once. Then all programs of an application take turns, each as a
//! process of its own that writes its answer into a file. A rival's answer must be zgram's; if it is
//! not, the benchmark ends. Programs also report how their time splits into preprocessing and
//! computing, as in the paper's table 5.

pub mod contestants;
pub mod figures;
mod page;
pub mod paper;
pub mod split;
pub mod table;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;
use tempfile::TempDir;

use crate::corpora::Corpus;
use crate::hardware;
use crate::head::{CorpusArgs, Head};
use crate::measure::{self, Measurement};
use crate::workspace;
use crate::zgram::{Setting, Zgram};
use contestants::{Ask, Contestant, Program, Programs, compares, comparison};
use figures::{ApplicationFigures, CorpusFigures, Outcome, Report, Row};
use split::Split;
use table::Application;

/// Programs that take longer, in seconds, run once.
const LONG: f64 = 20.0;

/// What is missing if answers cannot be compared.
const COMPARISON: &str = "compare.py";

/// How corpora are compressed: as users get it who choose nothing.
const SETTING: Setting = Setting { level: "default", grammar: "repair" };

/// What the user typed after `applications`.
#[derive(Debug, Args)]
pub struct Options {
    /// What is measured.
    #[command(flatten)]
    pub inputs: CorpusArgs,

    /// Applications to run [default: all].
    #[arg(long, value_name = "APPLICATION,…", value_delimiter = ',')]
    pub application: Vec<Application>,

    /// Workers of each program that can use several.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub threads: u32,

    /// Passes of word2vec over the text.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub epochs: u32,

    /// Passes of LDA over the text.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    pub iterations: u32,

    /// A built zgram-glove program [default: built from the workspace].
    #[arg(long, value_name = "PROGRAM")]
    pub glove: Option<PathBuf>,

    /// Python with the packages of benchmarks/rivals/requirements.txt.
    #[arg(long, value_name = "PROGRAM", env = "ZGRAM_PYTHON", default_value = "python3")]
    pub python: PathBuf,

    /// Keep compressed corpora in this folder and use those that are there already.
    #[arg(long, value_name = "DIR")]
    pub cache: Option<PathBuf>,

    /// Run this many times, in turns, and keep the run of least processor time; long programs run once.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Stop a rival after this many seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub patience: u32,

    /// Measure only contestants whose row name contains this; such a part is never recorded.
    #[arg(long, value_name = "TEXT", conflicts_with = "record")]
    pub only: Option<String>,

    /// Write the result to benchmarks/record: applications.md, applications.json and charts.
    #[arg(long)]
    pub record: bool,
}

/// Runs the benchmark, prints the tables, and records them if asked to.
pub fn run(options: &Options) -> Result<()> {
    let root = workspace::root()?;
    let report = report(options, &root)?;
    println!("{}", report.markdown());
    if options.record {
        let folder = root.join("benchmarks/record");
        workspace::record(&folder, "applications", &report.markdown(), &report)?;
        for chart in report.charts() {
            chart.write(&folder)?;
        }
    }
    Ok(())
}

/// Runs the benchmark with the rivals of the workspace at `root`.
pub fn report(options: &Options, root: &Path) -> Result<Report> {
    let paths = options.inputs.corpora(root)?;
    let before = hardware::load_average();
    let (bench, tools) = Bench::prepare(options, root)?;
    let missing = bench.missing.iter().map(|(_, complaint)| complaint.clone()).collect();
    let mut measured = Vec::new();
    for path in &paths {
        measured.push(bench.measure_corpus(path)?);
    }
    Ok(Report {
        head: Head::new(options.as_typed(), tools),
        missing,
        load_averages: before.zip(hardware::load_average()),
        corpora: measured,
    })
}

/// Everyone who takes part, found and ready.
struct Bench<'a> {
    options: &'a Options,
    zgram: Zgram,
    programs: Programs,
    /// Tools that are not installed, and how to get them.
    missing: Vec<(&'static str, String)>,
}

impl<'a> Bench<'a> {
    /// Also the tools' versions.
    fn prepare(options: &'a Options, root: &Path) -> Result<(Self, Vec<String>)> {
        let zgram = options.inputs.zgram(root)?;
        let glove = match &options.glove {
            Some(program) => program
                .canonicalize()
                .with_context(|| format!("there is no program at {}", program.display()))?,
            None => workspace::build(root, "zgram-bench", "zgram-glove")?,
        };
        let programs = Programs {
            zgram: zgram.path().to_owned(),
            glove,
            python: options.python.clone(),
            scripts: root.join("benchmarks/rivals"),
        };
        let mut tools = vec![zgram.version()?];
        let mut missing = Vec::new();
        let mut asked = Vec::new();
        for application in options.applications() {
            for contestant in application.contestants() {
                let Program::Script(script) = contestant.program else { continue };
                if asked.contains(&script.tool) {
                    continue;
                }
                asked.push(script.tool);
                match script.version(&programs) {
                    Ok(version) => tools.push(format!("{} {version}", script.tool)),
                    Err(error) => {
                        eprintln!("MISSING: {error}");
                        missing.push((script.tool, error.to_string()));
                    }
                }
            }
        }
        if !compares(&programs) {
            let complaint = "answers are not compared, which needs numpy and scipy: \
                             pip install -r benchmarks/rivals/requirements.txt";
            eprintln!("MISSING: {complaint}");
            missing.push((COMPARISON, complaint.to_owned()));
        }
        Ok((Self { options, zgram, programs, missing }, tools))
    }

    fn measure_corpus(&self, path: &Path) -> Result<CorpusFigures> {
        let corpus = Corpus::open(path)?;
        let scratch =
            TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
        let cache = self.options.cache.as_deref().unwrap_or(scratch.path());
        fs::create_dir_all(cache).with_context(|| format!("cannot make {}", cache.display()))?;
        let packed = self.compress(&corpus, cache, false)?;
        let indexed = self.compress(&corpus, cache, true)?;
        let words = match self.options.applications().contains(&Application::Bm25) {
            true => query_words(&self.zgram, &packed, scratch.path())?,
            false => Vec::new(),
        };
        let mut figures = CorpusFigures {
            name: corpus.name.clone(),
            documents: corpus.documents.len(),
            bytes: corpus.bytes,
            query: words.clone(),
            compressed_bytes: fs::metadata(&packed)?.len(),
            indexed_bytes: fs::metadata(&indexed)?.len(),
            applications: Vec::new(),
        };
        for application in self.options.applications() {
            let folder = TempDir::new_in(scratch.path()).context("cannot make a folder")?;
            let course = Course {
                bench: self,
                corpus: &corpus,
                packed: &packed,
                indexed: &indexed,
                words: &words.join(" "),
                folder: folder.path(),
            };
            figures.applications.push(course.measure(application)?);
        }
        Ok(figures)
    }

    fn lacks(&self, wanted: &str) -> bool {
        self.missing.iter().any(|(tool, _)| *tool == wanted)
    }

    /// The corpus as zgram's file, with the word counts of each document stored or without.
    fn compress(&self, corpus: &Corpus, cache: &Path, with_index: bool) -> Result<PathBuf> {
        let index = if with_index { ".index" } else { "" };
        let name = format!("{}-{}.{}{index}.zgram", corpus.name, corpus.bytes, SETTING.level);
        let file = cache.join(name);
        if !file.exists() {
            eprintln!("{}: compressing{}", corpus.name, index.replace('.', " with "));
            let mut command = self.zgram.compress(SETTING, 2, &corpus.root, &file);
            command.args(with_index.then_some("--index"));
            measure::once(&mut command)?;
        }
        Ok(file)
    }
}

/// One corpus, and where answers go.
struct Course<'a> {
    bench: &'a Bench<'a>,
    corpus: &'a Corpus,
    packed: &'a Path,
    indexed: &'a Path,
    /// What BM25 looks for.
    words: &'a str,
    folder: &'a Path,
}

impl Course<'_> {
    fn measure(&self, application: Application) -> Result<ApplicationFigures> {
        let only = self.bench.options.only.as_deref();
        let takes_part = |one: &&Contestant| only.is_none_or(|part| one.name.contains(part));
        let contestants: Vec<_> = application.contestants().iter().filter(takes_part).collect();
        let mut rows: Vec<Row> = Vec::new();
        for contestant in &contestants {
            eprintln!("{}: {}: {}", self.corpus.name, application.name(), contestant.name);
            rows.push(Row {
                name: contestant.name,
                is_zgram: contestant.is_zgram(),
                against: contestant.against.as_ref().map(|against| against.ours),
                outcome: self.run(contestant)?,
                agreement: None,
            });
        }
        for _ in 1..self.bench.options.runs {
            for (contestant, row) in contestants.iter().zip(&mut rows) {
                let Outcome::Done { cost: best, .. } = row.outcome else { continue };
                if best.wall_seconds > LONG {
                    continue;
                }
                let next = self.run(contestant)?;
                if matches!(next, Outcome::Done { cost, .. } if cost.cpu_seconds < best.cpu_seconds)
                {
                    row.outcome = next;
                }
            }
        }
        let is_done = |rows: &[Row], name: &str| {
            rows.iter().any(|row| row.name == name && matches!(row.outcome, Outcome::Done { .. }))
        };
        for (number, contestant) in contestants.iter().enumerate() {
            let Some(against) = &contestant.against else { continue };
            if self.bench.lacks(COMPARISON) {
                break;
            }
            if is_done(&rows, against.ours) && is_done(&rows, contestant.name) {
                let agreement = self.compare(against.kind, against.ours, contestant.name);
                let whose = format!("{}: {}", self.corpus.name, contestant.name);
                rows[number].agreement = Some(agreement.context(whose)?);
            }
        }
        Ok(ApplicationFigures { application, rows })
    }

    /// Runs one program. A rival that fails is a row that says so; zgram must not fail.
    fn run(&self, contestant: &Contestant) -> Result<Outcome> {
        let output = self.answer(contestant.name);
        remove(&output)?;
        let ask = Ask {
            folder: &self.corpus.root,
            corpus: self.packed,
            indexed: self.indexed,
            output: &output,
            store: &self.folder.join("store"),
            words: self.words,
            threads: self.bench.options.threads,
            iterations: self.bench.options.iterations,
            epochs: self.bench.options.epochs,
        };
        let mut command = contestant.command(&self.bench.programs, &ask);
        match contestant.program {
            Program::Zgram { preprocessing } => {
                let (cost, said) = measure::heard(&mut command)?;
                Ok(Outcome::Done { cost, split: Split::of_stats(&said, preprocessing, &cost)? })
            }
            Program::Script(script) if self.bench.lacks(script.tool) => {
                Ok(Outcome::Not("**MISSING**".to_owned()))
            }
            Program::Script(_) | Program::Glove => {
                let preparation = contestant.preparation(&self.bench.programs, &ask);
                let prepared =
                    preparation.map_or(Ok(()), |mut command| measure::once(&mut command).map(drop));
                match prepared.and_then(|()| self.run_rival(&command)) {
                    Ok((cost, split)) => Ok(Outcome::Done { cost, split }),
                    Err(error) => Ok(Outcome::Not(self.reason(&error))),
                }
            }
        }
    }

    /// Runs a rival, but not for ever.
    fn run_rival(&self, command: &Command) -> Result<(Measurement, Split)> {
        let printed = self.folder.join("printed");
        let mut patient = Command::new("timeout");
        patient.arg(self.bench.options.patience.to_string()).arg(command.get_program());
        patient.args(command.get_args());
        patient.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
        patient.stdout(fs::File::create(&printed)?);
        let cost = measure::once(&mut patient)?;
        Ok((cost, Split::of_script(&fs::read_to_string(&printed)?, &cost)?))
    }

    /// How far two answers agree; an error if they do not.
    fn compare(&self, kind: &str, ours: &str, theirs: &str) -> Result<String> {
        let (ours, theirs) = (self.answer(ours), self.answer(theirs));
        let answer = comparison(&self.bench.programs, kind, [&ours, &theirs], &self.corpus.root)
            .output()
            .context("cannot start compare.py")?;
        if !answer.status.success() {
            bail!("{}", String::from_utf8_lossy(&answer.stderr).trim());
        }
        Ok(String::from_utf8_lossy(&answer.stdout).trim().to_owned())
    }

    /// Where the answer of a contestant goes, without an ending.
    fn answer(&self, contestant: &str) -> PathBuf {
        self.folder.join(contestant.replace(|c: char| !c.is_ascii_alphanumeric(), "-"))
    }

    /// Why there is no figure, in a few words that fit a table.
    fn reason(&self, error: &anyhow::Error) -> String {
        let message = format!("{error:#}");
        eprintln!("{message}");
        // What `timeout` says of a command that it ended.
        if message.contains("exit status: 124") {
            return format!("over {} s", self.bench.options.patience);
        }
        let last = message.lines().last().unwrap_or_default().replace('|', "/");
        format!("failed: {}", last.chars().take(80).collect::<String>())
    }
}

/// Words for a query: the 100th, 300th and 1,000th most frequent of those with three or more plain
/// letters, or the last one if there are fewer.
fn query_words(zgram: &Zgram, packed: &Path, scratch: &Path) -> Result<Vec<String>> {
    let counts = scratch.join("words.tsv");
    let mut command = zgram.command("word-count");
    command.arg(packed).args(["--sklearn", "--lower", "--format", "tsv", "--force", "-o"]);
    measure::once(command.arg(&counts))?;
    let rows = fs::read_to_string(&counts)?;
    let is_plain =
        |word: &&str| word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_lowercase());
    let words: Vec<&str> =
        rows.lines().filter_map(|row| row.split('\t').next()).filter(is_plain).collect();
    let last = words.len().checked_sub(1).context("the corpus has no words to look for")?;
    Ok([100, 300, 1000].map(|rank: usize| words[rank.min(last)].to_owned()).to_vec())
}

/// Removes an answer of an earlier run: what has this name, with any ending.
fn remove(output: &Path) -> Result<()> {
    let name = output.file_name().context("an answer has a name")?;
    for entry in fs::read_dir(output.parent().context("an answer is in a folder")?)? {
        let path = entry?.path();
        let stem = path.file_name().map(|found| found.to_string_lossy().into_owned());
        let stem = stem.as_deref().and_then(|found| found.split('.').next());
        if stem.map(str::as_ref) != Some(name) {
            continue;
        }
        if path.is_dir() {
            fs::remove_dir_all(&path)?;
        } else {
            fs::remove_file(&path)?;
        }
    }
    Ok(())
}

impl Options {
    fn applications(&self) -> Vec<Application> {
        let wanted =
            |one: &Application| self.application.is_empty() || self.application.contains(one);
        Application::ALL.into_iter().filter(wanted).collect()
    }

    /// The command line for the head of the report.
    fn as_typed(&self) -> String {
        let mut words = self.inputs.as_typed("applications");
        if !self.application.is_empty() {
            words.push(format!("--application {}", names(&self.application)));
        }
        words.push(format!("--epochs {}", self.epochs));
        words.push(format!("--iterations {}", self.iterations));
        words.push(format!("--threads {} --runs {}", self.threads, self.runs));
        if let Some(part) = &self.only {
            words.push(format!("--only '{part}'"));
        }
        if self.record {
            words.push("--record".to_owned());
        }
        words.join(" ")
    }
}

/// Applications as they are typed.
fn names(applications: &[Application]) -> String {
    use clap::ValueEnum;
    let typed = |one: &Application| {
        one.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    };
    applications.iter().map(typed).collect::<Vec<_>>().join(",")
}
