//! Arguments of the commands that maintain corpora and the program.

use super::edit::EditedFile;
use super::gpu::AdapterArgs;
use super::pack::ThresholdArgs;
use super::shared::{CorpusFile, Format, Threads};
use crate::size;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// Check that a file is undamaged
///
/// Checks all checksums, all sections and the size of every document.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram verify texts.zgram
  zgram verify -q texts.zgram && echo good")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Merge pending edits into the compressed text
///
/// Rebuilds only segments with edited documents. The new file replaces the old one when it is
/// complete. Processes that have the old file open keep reading it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compact texts.zgram
  zgram compact --if-over 64M texts.zgram
  zgram compact --threshold 16M texts.zgram   set a threshold; compact if it is reached")]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// Compact only if pending edits add more text than this, such as 64M
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) if_over: Option<u64>,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    /// Print the summary on standard output, in a format for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Train the choice of traversals on this machine
///
/// Runs every task with every traversal on each corpus and on samples of it, trains a decision tree
/// on the times, and reports how well it chooses for corpora it has not seen. If the built-in tree
/// does better, that one is written instead. Pass the tree to a task with --tree, or set the
/// environment variable ZGRAM_TREE.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram tune books.zgram logs.zgram news.zgram -o my.tree
  zgram tune books.zgram --trials runs.tsv -o my.tree    keep the times, continue later
  ZGRAM_TREE=my.tree zgram term-vector books.zgram --stats")]
pub(crate) struct TuneArgs {
    /// .zgram files; the more diverse, the better
    #[arg(required_unless_present = "trials", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write the tree to; default: standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Number of runs per traversal; the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = size::parse_usize)]
    pub(crate) runs: usize,
    /// File of measured times: reuse those it contains, append new ones
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trials: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// List and test GPUs
///
/// Prints every adapter with its limits, whether it counts correctly, and how fast. Software adapters
/// (kind `software`) are used only if you name them.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram gpu                                     list and test all
  zgram gpu --adapter radeon --format json      one of them, as JSON
  zgram word-count logs.zgram --engine gpu --stats")]
pub(crate) struct GpuArgs {
    #[command(flatten)]
    pub(crate) adapter: AdapterArgs,
    /// List the adapters without testing them
    #[arg(long)]
    pub(crate) no_test: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Generate shell completions or the manual
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram generate completions bash > ~/.local/share/bash-completion/completions/zgram
  zgram generate man | man -l -
  zgram generate man --output man1/          write one page per command")]
pub(crate) struct GenerateArgs {
    #[command(subcommand)]
    pub(crate) what: Generated,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Generated {
    /// Completions for a shell, on standard output
    Completions {
        /// The shell
        #[arg(value_enum)]
        shell: clap_complete::Shell,
    },
    /// The manual page, on standard output; with --output, one page per command
    Man {
        /// Write zgram.1, zgram-compress.1 and so on to this folder
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
}
