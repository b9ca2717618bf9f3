//! The raw rival as a program: the six tasks on plain text, for comparison.
#![forbid(unsafe_code)]

use std::path::PathBuf;

use anyhow::Result;
use clap::Parser;
use zgram_bench::raw::documents::Source;
use zgram_bench::raw::rows::Output;
use zgram_bench::raw::{Request, run};
use zgram_bench::tasks::{self, Task};

/// Text analytics on plain files, as fast as plain files allow.
#[derive(Parser)]
#[command(name = "zgram-raw")]
struct Arguments {
    /// What to answer.
    #[arg(value_parser = tasks::parser())]
    task: Task,

    /// A folder or file of text, or - for a tar on standard input.
    input: PathBuf,

    /// Words in a sequence.
    #[arg(short, default_value_t = 3, value_parser = clap::value_parser!(u32).range(2..))]
    n: u32,

    /// Sequences of the whole corpus instead of each document.
    #[arg(long)]
    corpus: bool,

    /// Workers.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    threads: u32,

    /// Leave out this many leading parts of names in a tar.
    #[arg(long, default_value_t = 0, value_name = "PARTS")]
    strip: usize,

    /// Write rows here instead of to standard output.
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let source = if arguments.input.as_os_str() == "-" {
        Source::tar(std::io::stdin(), arguments.strip)
    } else {
        Source::files(&arguments.input)?
    };
    let request = Request {
        task: arguments.task,
        n: arguments.n as usize,
        corpus: arguments.corpus,
        threads: arguments.threads as usize,
    };
    run(&request, &source, &Output::open(arguments.output.as_deref())?)
}
