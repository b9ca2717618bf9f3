//! The block-sorting benchmark: `zgram bzip2` against the bzip2 programs, and the rates of its stages.
//!
//! The programs take turns, run by run, so that other work on the machine disturbs all alike. All
//! decompress the same file, made by bzip2. Stages are measured in this process, after all programs
//! have run, because its memory would hide the peak of a program started later. The tables follow those of the thesis:
//! 4.1 and 4.2 (rates), 4.3 (inverse transform by threads), figures 4.3 (ties), 4.4 to 4.7 (stages).

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use tempfile::TempDir;

use crate::corpora::Corpus;
use crate::head::{CorpusArgs, Head};
use crate::measure::{self, Measurement};
use crate::plots::{Chart, Scale};
use crate::rivals::program_version;
use crate::stages::{self, Stages};
use crate::verify;
use crate::workspace;
use crate::zgram::Zgram;

/// What the user typed after `bzip2`.
#[derive(Debug, Args)]
pub struct Options {
    /// The corpora and the program.
    #[command(flatten)]
    pub inputs: CorpusArgs,

    /// Run everything this many times and keep the fastest.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Write the result to benchmarks/record/bzip2.md and bzip2.json.
    #[arg(long)]
    pub record: bool,
}

/// A program at one setting.
#[derive(Debug, Clone, Copy)]
struct Tool {
    name: &'static str,
    /// `None` is zgram.
    rival: Option<&'static str>,
    options: &'static [&'static str],
}

const TOOLS: [Tool; 6] = [
    Tool { name: "zgram bzip2 -9", rival: None, options: &[] },
    Tool { name: "zgram bzip2 -9 --threads 1", rival: None, options: &["--threads", "1"] },
    Tool { name: "bzip2 -9", rival: Some("bzip2"), options: &[] },
    Tool { name: "lbzip2 -9", rival: Some("lbzip2"), options: &[] },
    Tool { name: "lbzip2 -9 -n 1", rival: Some("lbzip2"), options: &["-n", "1"] },
    Tool { name: "pbzip2 -9", rival: Some("pbzip2"), options: &[] },
];
/// The index of bzip2 itself.
const REFERENCE: usize = 2;

impl Tool {
    fn command(&self, zgram: &Zgram, flags: &[&str], input: &Path, output: Stdio) -> Command {
        let mut command = match self.rival {
            Some(program) => Command::new(program),
            None => zgram.command("bzip2"),
        };
        command.args(flags).args(self.options).arg(input).stdout(output);
        command
    }
}

/// One whole run of the benchmark.
#[derive(Debug, Serialize)]
pub struct Report {
    #[serde(flatten)]
    head: Head,
    corpora: Vec<Figures>,
    /// Nanoseconds per byte to compress texts that are hard to sort, on one thread.
    hard_texts: Vec<(&'static str, f64)>,
}

/// All figures of one corpus.
#[derive(Debug, Serialize)]
struct Figures {
    name: String,
    bytes: u64,
    rows: Vec<Row>,
    stages: Stages,
}

/// What one program did.
#[derive(Debug, Serialize)]
struct Row {
    tool: &'static str,
    compressed_bytes: u64,
    compress: Best,
    decompress: Best,
}

/// The least of several runs, for each figure separately.
#[derive(Debug, Clone, Copy, Serialize)]
struct Best {
    wall_seconds: f64,
    cpu_seconds: f64,
    peak_rss_bytes: u64,
}

impl Default for Best {
    fn default() -> Self {
        Self { wall_seconds: f64::INFINITY, cpu_seconds: f64::INFINITY, peak_rss_bytes: u64::MAX }
    }
}

impl Best {
    fn take(&mut self, run: &Measurement) {
        self.wall_seconds = self.wall_seconds.min(run.wall_seconds);
        self.cpu_seconds = self.cpu_seconds.min(run.cpu_seconds);
        self.peak_rss_bytes = self.peak_rss_bytes.min(run.peak_rss_bytes);
    }
}

/// Runs the benchmark, prints the report, and records it if asked to.
pub fn run(options: &Options) -> Result<()> {
    let workspace = workspace::root()?;
    let paths = options.inputs.corpora(&workspace)?;
    let zgram = options.inputs.zgram(&workspace)?;
    let mut tools = vec![zgram.version()?];
    for program in ["bzip2", "lbzip2", "pbzip2"] {
        tools.push(format!("{program} {}", program_version(program, program)?));
    }
    let scratch = TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
    let mut measured = Vec::new();
    for (number, path) in paths.iter().enumerate() {
        let corpus = Corpus::open(path)?;
        let input = scratch.path().join(format!("{number}.tar"));
        if corpus.root.is_file() {
            fs::copy(&corpus.root, &input)?;
        } else {
            corpus.write_tar(&input)?;
        }
        let rows = measure_tools(&zgram, &corpus.name, &input, options.runs)?;
        measured.push((corpus.name, input, rows));
    }
    let mut corpora = Vec::new();
    for (name, input, rows) in measured {
        eprintln!("{name}: stages");
        let bytes = fs::metadata(&input)?.len();
        let stages = stages::measure(&input, options.runs)?;
        corpora.push(Figures { name, bytes, rows, stages });
    }
    let hard_texts = stages::hard_texts(options.runs);
    let report = Report { head: Head::new(options.as_typed(), tools), corpora, hard_texts };
    println!("{}", report.markdown());
    if options.record {
        let folder = workspace.join("benchmarks/record");
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("bzip2.md"), report.markdown())?;
        fs::write(folder.join("bzip2.json"), serde_json::to_string_pretty(&report)? + "\n")?;
        report.charts().iter().try_for_each(|chart| chart.write(&folder))?;
    }
    Ok(())
}

fn measure_tools(zgram: &Zgram, name: &str, input: &Path, runs: u32) -> Result<Vec<Row>> {
    let packed = |tool: &Tool| input.with_extension(tool.name.replace(' ', "-"));
    let restored = input.with_extension("restored");
    let mut compress = [Best::default(); TOOLS.len()];
    let mut decompress = [Best::default(); TOOLS.len()];
    for _ in 0..runs {
        for (tool, best) in TOOLS.iter().zip(&mut compress) {
            eprintln!("{name}: {}", tool.name);
            let output = File::create(packed(tool))?.into();
            best.take(&measure::once(&mut tool.command(
                zgram,
                &["-9", "-k", "-c"],
                input,
                output,
            ))?);
        }
        for (tool, best) in TOOLS.iter().zip(&mut decompress) {
            eprintln!("{name}: {} -d", tool.name);
            let file = packed(&TOOLS[REFERENCE]);
            best.take(&measure::once(&mut tool.command(
                zgram,
                &["-d", "-c"],
                &file,
                Stdio::null(),
            ))?);
        }
    }
    // zgram must read each program's file, and bzip2 must read zgram's.
    let mut rows = Vec::new();
    for (number, tool) in TOOLS.iter().enumerate() {
        let file = packed(tool);
        let other = if tool.rival.is_none() { TOOLS[REFERENCE] } else { TOOLS[0] };
        let output = File::create(&restored)?.into();
        measure::once(&mut other.command(zgram, &["-d", "-c"], &file, output))?;
        if let Some(offset) = verify::first_difference(input, &restored)? {
            anyhow::bail!("{}: {} comes back changed at {offset:?}", name, tool.name);
        }
        rows.push(Row {
            tool: tool.name,
            compressed_bytes: fs::metadata(&file)?.len(),
            compress: compress[number],
            decompress: decompress[number],
        });
        fs::remove_file(&file).ok();
    }
    fs::remove_file(&restored)?;
    Ok(rows)
}

impl Options {
    fn as_typed(&self) -> String {
        let mut words = self.inputs.as_typed("bzip2");
        words.push(format!("--runs {}", self.runs));
        if self.record {
            words.push("--record".to_owned());
        }
        words.join(" ")
    }
}

impl Report {
    /// The thesis's tables 4.1 and 4.2 and its figures, as charts.
    fn charts(&self) -> Vec<Chart> {
        let rates = |seconds: fn(&Row) -> f64| {
            let of = |corpus: &Figures| {
                let rate = |row: &Row| corpus.bytes as f64 / 1e6 / seconds(row);
                (corpus.name.clone(), corpus.rows.iter().map(rate).collect())
            };
            self.corpora.iter().map(of).collect()
        };
        let groups: Vec<String> = TOOLS.iter().map(|tool| tool.name.replace(" -9", "")).collect();
        let mut charts = vec![
            Chart {
                file: "bzip2-compress",
                title: "Compressing, by processor time (table 4.1)",
                unit: "MB a CPU second",
                scale: Scale::Linear,
                groups: groups.clone(),
                series: rates(|row| row.compress.cpu_seconds),
            },
            Chart {
                file: "bzip2-decompress",
                title: "Decompressing, by processor time (table 4.2)",
                unit: "MB a CPU second",
                scale: Scale::Linear,
                groups,
                series: rates(|row| row.decompress.cpu_seconds),
            },
        ];
        let stages: Vec<(&str, &Stages)> =
            self.corpora.iter().map(|corpus| (&corpus.name[..], &corpus.stages)).collect();
        charts.extend(stages::charts(&stages));
        charts
    }

    /// The report as a Markdown page.
    fn markdown(&self) -> String {
        let mut page = self.head.markdown("Block sorting");
        page += "\nHow to read it: `benchmarks/README.md`.\n";
        for corpus in &self.corpora {
            corpus.write_markdown(&mut page);
        }
        page += "\n## Charts\n";
        for chart in self.charts() {
            page += "\n";
            page += &chart.markdown();
        }
        page += "\n## Texts that are hard to sort\n\n| text | compress, ns a byte |\n|---|---:|\n";
        for (name, nanoseconds) in &self.hard_texts {
            page += &format!("| {name} | {nanoseconds:.1} |\n");
        }
        page
    }
}

impl Figures {
    fn write_markdown(&self, page: &mut String) {
        let megabytes = self.bytes as f64 / 1e6;
        let reference = &self.rows[REFERENCE];
        *page += &format!("\n## {}\n\n{megabytes:.1} MB.\n\n", self.name);
        *page += "| program | size / bzip2 | compress, MB/s | MB/CPU s | peak, MB | decompress, MB/s \
                  | MB/CPU s | peak, MB |\n|---|---:|---:|---:|---:|---:|---:|---:|\n";
        for row in &self.rows {
            let size = row.compressed_bytes as f64 / reference.compressed_bytes as f64;
            *page += &format!("| {} | {size:.4} |", row.tool);
            for best in [row.compress, row.decompress] {
                *page += &format!(
                    " {:.1} | {:.1} | {:.1} |",
                    megabytes / best.wall_seconds,
                    megabytes / best.cpu_seconds,
                    best.peak_rss_bytes as f64 / 1e6
                );
            }
            *page += "\n";
        }
        self.stages.write_markdown(page);
    }
}
