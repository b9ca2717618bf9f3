//! Arguments that several commands share.

use crate::size;
use clap::{Args, ValueEnum, ValueHint};
use regex::Regex;
use std::ffi::OsString;
use std::path::PathBuf;
use zgram::analytics::{DocumentLimit, Units};

/// The corpus a command works on.
#[derive(Debug, Args)]
pub(crate) struct CorpusFile {
    /// A .zgram file, or a folder of them as one corpus; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) path: PathBuf,
}

/// Documents chosen by name.
#[derive(Debug, Args)]
pub(crate) struct Documents {
    /// Names of documents, or patterns in which `*` matches anything, including `/`; default: all
    #[arg(value_name = "DOC")]
    pub(crate) chosen: Vec<OsString>,
}

/// How many threads to use.
#[derive(Debug, Args)]
pub(crate) struct Threads {
    /// Number of threads, at most 1024; default: one per core
    #[arg(short = 't', long = "threads", value_name = "N", value_parser = size::parse_threads)]
    pub(crate) count: Option<u16>,
}

impl Threads {
    /// The number, or 0 for one thread per core.
    pub(crate) fn or_all(&self) -> usize {
        self.count.map_or(0, usize::from)
    }
}

/// How results are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Readable on a terminal, TSV elsewhere
    #[default]
    Auto,
    /// Aligned columns
    Table,
    /// One JSON value
    Json,
    /// One JSON object per line
    Ndjson,
    /// Tab-separated fields, no header
    Tsv,
}

/// Reads `folder` or a pattern.
pub(crate) fn parse_units(text: &str) -> Result<Units, String> {
    match text {
        "folder" => Ok(Units::Folder),
        pattern => Regex::new(pattern).map(Units::Pattern).map_err(|error| error.to_string()),
    }
}

/// A number of documents, or a share of them if it has a point: as scikit-learn tells 1 from 1.0.
pub(crate) fn parse_limit(text: &str) -> Result<DocumentLimit, String> {
    if text.contains(['.', 'e', 'E']) {
        let share: f64 = text.parse().map_err(|_| "this is not a number".to_owned())?;
        return match (0.0..=1.0).contains(&share) {
            true => Ok(DocumentLimit::Share(share)),
            false => {
                Err("a share is from 0.0 to 1.0; for a number of documents leave out the point"
                    .to_owned())
            }
        };
    }
    text.parse()
        .map(DocumentLimit::Count)
        .map_err(|_| "this is not a number of documents".to_owned())
}
