//! Arguments that several commands have.

use clap::{Args, ValueEnum, ValueHint};
use std::ffi::OsString;
use std::path::PathBuf;

/// The corpus a command works on.
#[derive(Debug, Args)]
pub(crate) struct CorpusFile {
    /// A .zgram file; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: PathBuf,
}

/// Documents chosen by name.
#[derive(Debug, Args)]
pub(crate) struct Documents {
    /// Names; else patterns, where `*` stands for anything, `/` included. All if none is given
    #[arg(value_name = "DOC")]
    pub(crate) chosen: Vec<OsString>,
}

/// How many threads may work.
#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Number of threads; as many as there are cores if not given
    #[arg(short = 't', long = "threads", value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) count: Option<u16>,
}

impl Threads {
    /// The number, or 0 for one a core.
    pub(crate) fn or_all(&self) -> usize {
        self.count.map_or(0, usize::from)
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people on a terminal, for programs elsewhere
    #[default]
    Auto,
    /// Aligned columns
    Table,
    /// One JSON value
    Json,
    /// One JSON object a line
    Ndjson,
    /// Fields with tabs between them, no header
    Tsv,
}
