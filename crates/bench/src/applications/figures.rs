//! The figures of the applications benchmark. The serialised form is the twin for programs of the page
//! that `page` renders.

use serde::Serialize;

use super::split::Split;
use super::table::Application;
use crate::head::Head;
use crate::measure::Measurement;

/// One whole run of the benchmark.
#[derive(Debug, Serialize)]
pub struct Report {
    /// How it was made.
    #[serde(flatten)]
    pub head: Head,
    /// Tools that are not there, and how to get them.
    pub missing: Vec<String>,
    /// How many processes wanted a processor, on average over a minute, when the run began and ended.
    pub load_averages: Option<(f64, f64)>,
    /// Figures by corpus, in the order they were measured.
    pub corpora: Vec<CorpusFigures>,
}

/// All figures of one corpus.
#[derive(Debug, Serialize)]
pub struct CorpusFigures {
    /// Name of the corpus.
    pub name: String,
    /// How many documents it has.
    pub documents: usize,
    /// Sum of the sizes of its documents.
    pub bytes: u64,
    /// What BM25 looked for.
    pub query: Vec<String>,
    /// Size of zgram's file.
    pub compressed_bytes: u64,
    /// The same with the word counts of each document stored.
    pub indexed_bytes: u64,
    /// Figures by application.
    pub applications: Vec<ApplicationFigures>,
}

/// All who ran one application.
#[derive(Debug, Serialize)]
pub struct ApplicationFigures {
    /// What was run.
    pub application: Application,
    /// One row per contestant.
    pub rows: Vec<Row>,
}

/// What one contestant did.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Who.
    pub name: &'static str,
    /// Whether this is our own row.
    pub is_zgram: bool,
    /// zgram's row that it is set against; of a rival.
    pub against: Option<&'static str>,
    /// What it cost.
    pub outcome: Outcome,
    /// How far its answer is zgram's, in words; of a rival that answered.
    pub agreement: Option<String>,
}

/// What became of a run.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was finished.
    Done {
        /// What it cost.
        #[serde(flatten)]
        cost: Measurement,
        /// Its parts.
        split: Split,
    },
    /// It was not, for this reason.
    Not(String),
}

impl Row {
    /// What it cost, if it was finished.
    #[must_use]
    pub fn done(&self) -> Option<(&Measurement, &Split)> {
        match &self.outcome {
            Outcome::Done { cost, split } => Some((cost, split)),
            Outcome::Not(_) => None,
        }
    }
}

/// A rival and zgram's row that it is set against, both finished.
#[derive(Clone, Copy, Debug)]
pub struct Pair<'a> {
    /// The rival's row.
    pub rival: &'a Row,
    theirs: &'a Measurement,
    ours: &'a Measurement,
}

impl Pair<'_> {
    /// How many times the processor time of zgram the rival takes.
    #[must_use]
    pub fn speedup(&self) -> f64 {
        // The kernel counts a short process as nothing.
        self.theirs.cpu_seconds / self.ours.cpu_seconds.max(0.001)
    }

    /// The rival's peak memory relative to zgram's.
    #[must_use]
    pub fn memory(&self) -> f64 {
        self.theirs.peak_rss_bytes as f64 / self.ours.peak_rss_bytes as f64
    }

    /// The share of the rival's peak memory that zgram saves, in per cent; negative if it takes more.
    #[must_use]
    pub fn memory_saved(&self) -> f64 {
        100.0 * (1.0 - 1.0 / self.memory())
    }
}

impl ApplicationFigures {
    /// The rival beside zgram's row, if both finished.
    #[must_use]
    pub fn pair<'a>(&'a self, rival: &'a Row) -> Option<Pair<'a>> {
        let ours = self.rows.iter().find(|row| Some(row.name) == rival.against)?;
        Some(Pair { rival, theirs: rival.done()?.0, ours: ours.done()?.0 })
    }

    /// Every rival beside zgram.
    pub fn pairs(&self) -> impl Iterator<Item = Pair<'_>> {
        self.rows.iter().filter_map(|row| self.pair(row))
    }
}

impl CorpusFigures {
    /// What was measured of an application.
    #[must_use]
    pub fn of(&self, application: Application) -> Option<&ApplicationFigures> {
        self.applications.iter().find(|figures| figures.application == application)
    }
}
