//! Arguments of `lda`.

use super::matrix::{TermArgs, WorkArgs};
use super::shared::{CorpusFile, Documents};
use super::tasks::{RowFormat, ViewArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Find topics: words that occur together (LDA)
///
/// Writes a folder with two files: topics.tsv (topic, word, weight) and documents.tsv (document, topic,
/// weight), the largest weights first. Prints the first words of each topic. The same corpus, options
/// and seed give the same topics for any number of threads.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram lda news.zgram --sklearn --stop english --min-docs 5 --topics 50 -o topics
  zgram lda news.zgram --sklearn --stop english --min-docs 5 --topics 50 -o topics --iterations 500 --resume
        more passes over the topics that are there: the same options, and more iterations
  zgram lda news.zgram --lower --stop english --topics 100 --hold-out 0.1 -o hundred
        report how well 100 topics predict documents that they were not trained on
  zgram lda logs.zgram --by folder --topics 20 --format parquet -o folders")]
pub(crate) struct LdaArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    #[command(flatten)]
    pub(crate) documents: Documents,
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    #[command(flatten)]
    pub(crate) terms: TermArgs,
    #[command(flatten)]
    pub(crate) view: ViewArgs,
    #[command(flatten)]
    pub(crate) output: LdaOutput,
    #[command(flatten)]
    pub(crate) work: WorkArgs,
}

/// The model and its training.
#[derive(Debug, Args)]
#[command(next_help_heading = "Model")]
pub(crate) struct ModelArgs {
    /// Number of topics, at most 65535
    #[arg(
        long,
        value_name = "K",
        default_value_t = 50,
        value_parser = clap::value_parser!(u16).range(1..)
    )]
    pub(crate) topics: u16,
    /// Number of passes over all words
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000)
    )]
    pub(crate) iterations: u64,
    /// How many topics a document has: the smaller, the fewer
    #[arg(long, value_name = "A", default_value_t = 0.1)]
    pub(crate) alpha: f64,
    /// How many words a topic has: the smaller, the fewer
    #[arg(long, value_name = "B", default_value_t = 0.01, alias = "eta")]
    pub(crate) beta: f64,
    /// Seed of the random numbers; the same seed gives the same topics
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Leave out this share of the documents, such as 0.1, and report how well they are predicted
    #[arg(long, value_name = "SHARE")]
    pub(crate) hold_out: Option<f64>,
    /// Save the state every N passes and at the end; 0: never
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) checkpoint: u64,
    /// Continue from the checkpoint of an earlier run with the same options
    #[arg(long, conflicts_with = "force")]
    pub(crate) resume: bool,
}

/// What to write, and where.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct LdaOutput {
    /// The folder to write
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Format of both files, and of the topics that are printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: RowFormat,
    /// Number of words to print per topic; 0: print no topics
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) top: usize,
    /// Replace the files of an earlier run
    #[arg(short, long)]
    pub(crate) force: bool,
    /// Print on standard error how long each phase took
    #[arg(long)]
    pub(crate) stats: bool,
}
