//! Command line of the benchmarks: one subcommand per benchmark family.
#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{Parser, Subcommand};
use zgram_bench::{access, compress};

/// Benchmarks of zgram against the tools people use today.
#[derive(Parser)]
#[command(name = "zgram-bench")]
struct Arguments {
    #[command(subcommand)]
    family: Family,
}

#[derive(Subcommand)]
enum Family {
    /// Size, speed and memory of compressing and decompressing whole corpora.
    Compress(compress::Options),
    /// Extract, search, count and edits, against seekable zstd and a tantivy index.
    Access(access::Options),
}

fn main() -> Result<()> {
    match Arguments::parse().family {
        Family::Compress(options) => compress::run(&options),
        Family::Access(options) => access::run(&options),
    }
}
