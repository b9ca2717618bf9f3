//! What the benchmarks of whole corpora share: the arguments that name corpora and programs, and the
//! head of every report.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use crate::corpora;
use crate::hardware::Hardware;
use crate::workspace;
use crate::zgram::Zgram;

/// What is measured.
#[derive(Debug, Args)]
pub struct CorpusArgs {
    /// Folders, files or NAME.tar.zst packages [default: every package in the folder of corpora].
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,

    /// Folder of NAME.tar.zst packages [default: ../shared/corpora beside the workspace].
    #[arg(long, value_name = "DIR", env = "ZGRAM_CORPORA")]
    pub corpora: Option<PathBuf>,

    /// A built zgram program [default: built from the workspace].
    #[arg(long, value_name = "PROGRAM")]
    pub zgram: Option<PathBuf>,
}

impl CorpusArgs {
    /// The corpora to measure on.
    ///
    /// # Errors
    /// If there are none.
    pub fn corpora(&self, workspace: &Path) -> Result<Vec<PathBuf>> {
        corpora::choose(&self.paths, self.corpora.as_deref(), workspace)
    }

    /// The program, built if no built one is named.
    ///
    /// # Errors
    /// If it is not there or cannot be built.
    pub fn zgram(&self, workspace: &Path) -> Result<Zgram> {
        match &self.zgram {
            Some(program) => Zgram::at(program),
            None => Zgram::build(workspace),
        }
    }

    /// The beginning of the command line as typed, for the head of the report. Absolute paths show only
    /// their last part.
    #[must_use]
    pub fn as_typed(&self, benchmark: &str) -> Vec<String> {
        let mut words = vec![format!("cargo run --release -p zgram-bench -- {benchmark}")];
        words.extend(self.paths.iter().map(|path| workspace::shown(path)));
        words
    }
}

/// The head of a report.
#[derive(Debug, Serialize)]
pub struct Head {
    /// The command that made it.
    pub command: String,
    /// The machine it ran on.
    pub hardware: Hardware,
    /// Names and versions of all tools.
    pub tools: Vec<String>,
}

impl Head {
    /// The head of a report made now, on this machine.
    #[must_use]
    pub fn new(command: String, tools: Vec<String>) -> Self {
        Self { command, hardware: Hardware::of_this_machine(), tools }
    }

    /// The first lines of the report's page.
    #[must_use]
    pub fn markdown(&self, title: &str) -> String {
        format!(
            "# {title}\n\nMade by `{}`.\n\n- Machine: {}\n- Tools: {}\n",
            self.command,
            self.hardware.summary(),
            self.tools.join(", ")
        )
    }
}
