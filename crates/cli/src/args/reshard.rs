//! Arguments of the commands that change how many files a corpus is in.

use super::shared::{CorpusFile, Format, Threads};
use crate::size;
use clap::{Args, ValueHint};
use std::path::PathBuf;

/// Make one .zgram file of several
///
/// The documents follow each other in the order of the files, pending edits included. Nothing is
/// decompressed: grammars are taken over, and only their words are renumbered. Every command gives
/// the answer that it gave for the folder of these files.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram merge monday.zgram tuesday.zgram -o week.zgram
  zgram merge shards/ -o all.zgram           all files of a folder, by name")]
pub(crate) struct MergeArgs {
    /// .zgram files, or folders of them
    #[arg(required = true, value_name = "FILE", value_hint = ValueHint::AnyPath)]
    pub(crate) files: Vec<PathBuf>,
    /// The file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    /// Replace the file if it exists
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory limit, such as 512M; default: 4G
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) memory: Option<u64>,
    /// Print the summary on standard output, in a format for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Split a .zgram file into several
///
/// Each document is in one file, in the old order, and the files have about equal amounts of text. They
/// are named after the corpus: texts-1-of-4.zgram and so on. All commands read the folder as one
/// corpus. Nothing is decompressed.
#[derive(Debug, Args)]
#[command(after_long_help = "\
EXAMPLES:
  zgram split texts.zgram -n 4 -o shards/
  zgram word-count shards/                   the answer of texts.zgram")]
pub(crate) struct SplitArgs {
    #[command(flatten)]
    pub(crate) file: CorpusFile,
    /// Number of files
    #[arg(short = 'n', long = "files", value_name = "N", value_parser = size::parse_usize)]
    pub(crate) files: usize,
    /// The folder to write to; created if missing
    #[arg(short, long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) output: PathBuf,
    /// Replace files that exist
    #[arg(short, long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) threads: Threads,
    /// Memory limit, such as 512M; default: 4G
    #[arg(short, long, value_name = "SIZE", value_parser = size::parse_positive)]
    pub(crate) memory: Option<u64>,
    /// Print the files on standard output, in a format for programs
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
