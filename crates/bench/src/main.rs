//! Command line of the benchmarks: one subcommand per benchmark family.
#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{Parser, Subcommand};
use zgram_bench::{access, analytics, applications, bzip2, compress, load, python, shards};

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
    /// Time and memory of the six analytics tasks, from files to the answer written.
    Analytics(analytics::Options),
    /// Time and memory of term matrices, TF-IDF, BM25, co-occurrence, word2vec and LDA.
    Applications(applications::Options),
    /// Time and memory of the Python package, against scikit-learn, gensim, Polars and DuckDB.
    Python(python::Options),
    /// The library's own time for the Python benchmark.
    #[command(hide = true)]
    Ask(python::ask::Options),
    /// Seconds to load a corpus file.
    #[command(hide = true)]
    Load(load::Options),
    /// Extract, search, count and edits, against seekable zstd and a tantivy index.
    Access(access::Options),
    /// Size and time of a corpus in several files, against one file.
    Shards(shards::Options),
    /// `zgram bzip2` against the bzip2 programs, and the rates of its stages.
    Bzip2(bzip2::Options),
}

fn main() -> Result<()> {
    match Arguments::parse().family {
        Family::Compress(options) => compress::run(&options),
        Family::Analytics(options) => analytics::run(&options),
        Family::Applications(options) => applications::run(&options),
        Family::Python(options) => python::run(&options),
        Family::Ask(options) => python::ask::run(&options),
        Family::Load(options) => load::run(&options),
        Family::Access(options) => access::run(&options),
        Family::Shards(options) => shards::run(&options),
        Family::Bzip2(options) => bzip2::run(&options),
    }
}
