//! The compression benchmark: size, speed and peak memory of zgram and its rivals on each corpus.
//!
//! For every corpus, each rival compresses one tar of it to a file and decompresses that to /dev/null;
//! zgram compresses the folder itself and decompresses into a new folder, which is then compared
//! with the original. Writing the tar reads every document, so all tools find their input in the
//! system's cache. A difference after the round trip, or any tool that fails, ends the benchmark.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context, Result};
use clap::Args;
use tempfile::TempDir;

use crate::corpora::Corpus;
use crate::head::{CorpusArgs, Head};
use crate::load;
use crate::measure;
use crate::report::{CorpusFigures, Report, Row};
use crate::rivals::{RIVALS, Rival};
use crate::verify;
use crate::workspace;
use crate::zgram::{SETTINGS, Setting, Zgram};

/// What the user typed after `compress`.
#[derive(Debug, Args)]
pub struct Options {
    /// The corpora and the program.
    #[command(flatten)]
    pub inputs: CorpusArgs,

    /// The program that measures loading [default: this one].
    #[arg(long, value_name = "PROGRAM", hide = true)]
    pub loader: Option<PathBuf>,

    /// Run everything this many times and keep the fastest.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub runs: u32,

    /// Measure only tools whose row name contains this; such a part is never recorded.
    #[arg(long, value_name = "TEXT", conflicts_with = "record")]
    pub only: Option<String>,

    /// Write the result to benchmarks/record/compress.md and compress.json.
    #[arg(long)]
    pub record: bool,
}

/// Runs the benchmark, prints the table, and records it if asked to.
pub fn run(options: &Options) -> Result<()> {
    let root = workspace::root()?;
    let paths = options.inputs.corpora(&root)?;
    let bench = Bench::prepare(options, &root)?;

    let mut report =
        Report { head: Head::new(options.as_typed(), bench.versions()?), corpora: Vec::new() };
    for path in &paths {
        report.corpora.push(bench.measure_corpus(path)?);
    }

    println!("{}", report.markdown());
    if options.record {
        let folder = root.join("benchmarks/record");
        workspace::record(&folder, "compress", &report.markdown(), &report)?;
    }
    Ok(())
}

/// The tools that take part, found and ready.
struct Bench {
    zgram: Option<Zgram>,
    settings: Vec<Setting>,
    rivals: Vec<&'static Rival>,
    loader: PathBuf,
    runs: u32,
}

impl Bench {
    fn prepare(options: &Options, root: &Path) -> Result<Self> {
        let wanted = |name: &str| options.only.as_deref().is_none_or(|part| name.contains(part));
        let settings: Vec<_> =
            SETTINGS.into_iter().filter(|setting| wanted(&setting.name())).collect();
        let zgram = match settings.is_empty() {
            true => None,
            false => Some(options.inputs.zgram(root)?),
        };
        let rivals = RIVALS.iter().filter(|rival| wanted(rival.name)).collect();
        let loader = match &options.loader {
            Some(loader) => loader.clone(),
            None => std::env::current_exe().context("this program cannot be found")?,
        };
        Ok(Self { zgram, settings, rivals, loader, runs: options.runs })
    }

    fn versions(&self) -> Result<Vec<String>> {
        let zgram = self.zgram.iter().map(Zgram::version);
        zgram.chain(self.rivals.iter().map(|rival| rival.version())).collect()
    }

    fn measure_corpus(&self, path: &Path) -> Result<CorpusFigures> {
        let corpus = Corpus::open(path)?;
        let scratch =
            TempDir::with_prefix("zgram-bench-").context("cannot make a temporary folder")?;
        let tar = scratch.path().join("corpus.tar");
        corpus.write_tar(&tar)?;

        let mut rows = Vec::new();
        if let Some(zgram) = &self.zgram {
            for &setting in &self.settings {
                eprintln!("{}: {}", corpus.name, setting.name());
                rows.push(self.measure_zgram(zgram, setting, &corpus, scratch.path())?);
            }
        }
        for rival in &self.rivals {
            eprintln!("{}: {}", corpus.name, rival.name);
            rows.push(measure_rival(rival, &tar, scratch.path(), self.runs)?);
        }
        Ok(CorpusFigures {
            name: corpus.name.clone(),
            documents: corpus.documents.len(),
            bytes: corpus.bytes,
            rows,
        })
    }

    fn measure_zgram(
        &self,
        zgram: &Zgram,
        setting: Setting,
        corpus: &Corpus,
        scratch: &Path,
    ) -> Result<Row> {
        let packed = scratch.join("corpus.zgram");
        let compress_with = |threads| {
            measure::fastest(self.runs, || {
                Ok(zgram.compress(setting, threads, &corpus.root, &packed))
            })
        };
        // The one-thread run comes last, so that its file is the one that is decompressed.
        let compress_two_threads = compress_with(2)?;
        let compress = compress_with(1)?;

        let restored = scratch.join("restored");
        let decompress = measure::fastest(self.runs, || {
            if restored.exists() {
                fs::remove_dir_all(&restored)?;
            }
            Ok(zgram.decompress(&packed, &restored))
        })?;
        verify::restored(corpus, &restored)
            .with_context(|| format!("{} did not restore its input", setting.name()))?;
        fs::remove_dir_all(&restored)?;
        let load = |root| load::seconds_in_child(&self.loader, &packed, root);

        Ok(Row {
            tool: setting.name(),
            is_zgram: true,
            compressed_bytes: fs::metadata(&packed)?.len(),
            compress,
            compress_two_threads: Some(compress_two_threads),
            decompress,
            load_seconds: Some(load(load::Root::LaidOut)?),
            tally_seconds: Some(load(load::Root::Tallied)?),
        })
    }
}

/// Measures one rival on the file `input`, with its output in the folder `scratch`.
pub fn measure_rival(rival: &Rival, input: &Path, scratch: &Path, runs: u32) -> Result<Row> {
    let packed = scratch.join("corpus.packed");
    let compress = measure::fastest(runs, || rival.compress(input, &packed))?;
    let decompress = measure::fastest(runs, || Ok(rival.decompress(&packed, Stdio::null())))?;
    Ok(Row {
        tool: rival.name.to_owned(),
        is_zgram: false,
        compressed_bytes: fs::metadata(&packed)?.len(),
        compress,
        compress_two_threads: None,
        decompress,
        load_seconds: None,
        tally_seconds: None,
    })
}

impl Options {
    /// The command line for the head of the report.
    fn as_typed(&self) -> String {
        let mut words = self.inputs.as_typed("compress");
        if self.runs > 1 {
            words.push(format!("--runs {}", self.runs));
        }
        if let Some(part) = &self.only {
            words.push(format!("--only '{part}'"));
        }
        if self.record {
            words.push("--record".to_owned());
        }
        words.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        options: Options,
    }

    fn parse(words: &[&str]) -> Result<Options, clap::Error> {
        Line::try_parse_from(["compress"].iter().chain(words)).map(|line| line.options)
    }

    #[test]
    fn the_recorded_command_has_no_machine_paths() {
        let options = parse(&["/data/books.tar.zst", "samples/books", "--runs", "3"]).unwrap();
        assert_eq!(
            options.as_typed(),
            "cargo run --release -p zgram-bench -- compress books.tar.zst samples/books --runs 3"
        );
    }

    #[test]
    fn a_part_is_never_recorded() {
        assert!(parse(&["--only", "xz", "--record"]).is_err());
        assert!(parse(&["--runs", "0"]).is_err());
    }
}
