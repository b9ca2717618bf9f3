//! Arguments of the commands that keep a corpus and the program in order.

use super::edit::EditedFile;
use super::gpu::AdapterArgs;
use super::pack::ThresholdArgs;
use super::shared::{CorpusFile, Format, Threads};
use crate::size;
use clap::{Args, Subcommand, ValueHint};
use std::path::PathBuf;

/// Check every checksum, every section and the size of every document
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram verify texts.zgram
  zgram verify -q texts.zgram && echo good")]
pub(crate) struct VerifyArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Put all pending edits into the compressed text
///
/// Only segments with edited documents are built anew. The new file is written beside the old one
/// and moved over it when complete; who reads the old one goes on reading it.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram compact texts.zgram
  zgram compact --if-over 64M texts.zgram
  zgram compact --threshold 16M texts.zgram   from then on by itself; now only if that is reached")]
pub(crate) struct CompactArgs {
    #[command(flatten)]
    pub(crate) file: EditedFile,
    /// Only if the edits brought more new text than this
    #[arg(long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) if_over: Option<u64>,
    #[command(flatten)]
    pub(crate) threshold: ThresholdArgs,
    /// Print the summary on standard output, for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Train the choice of traversals on this machine
///
/// Runs every task by every traversal on each corpus and on samples of it, grows a decision tree
/// from the times, and tells how well it chooses for corpora it has not seen. If the tree that comes
/// with zgram does better, that is written instead. Give the tree to any task with --tree, or for
/// good in the environment variable ZGRAM_TREE.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram tune books.zgram logs.zgram news.zgram -o my.tree
  zgram tune books.zgram --trials runs.tsv -o my.tree   # keeps the times; goes on where it stopped
  ZGRAM_TREE=my.tree zgram term-vector books.zgram --stats")]
pub(crate) struct TuneArgs {
    /// .zgram files, the more different the better
    #[arg(required_unless_present = "trials", value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) files: Vec<PathBuf>,
    /// The file for the tree; standard output if not given
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Runs of each, of which the fastest counts
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub(crate) runs: usize,
    /// A file of times measured before: they count, are not measured again, and new ones are added
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) trials: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) threads: Threads,
}

/// List GPUs and test them
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
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Generate shell completions or the manual
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram generate completions bash > ~/.local/share/bash-completion/completions/zgram
  zgram generate man | man -l -
  zgram generate man --output man1/          a page for each command")]
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
    /// The manual page, on standard output; or the pages of all commands, in a folder
    Man {
        /// Write zgram.1, zgram-compress.1 and so on to this folder
        #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
        output: Option<PathBuf>,
    },
}
