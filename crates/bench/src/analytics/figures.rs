//! The figures of the analytics benchmark, and their rendering as Markdown tables.
//!
//! The serialised form is for programs. No row is ever left out: a row without a figure says why.

use serde::Serialize;

use super::contestants::TRAVERSAL_LEVEL;
use super::goals;
use crate::head::Head;
use crate::measure::Measurement;
use crate::tasks::{self, Task};

/// The selector's choice is good if it takes at most this much longer than the best traversal.
const CLOSE: f64 = 1.10;

/// One whole run of the benchmark.
#[derive(Debug, Serialize)]
pub struct Report {
    /// How it was made.
    #[serde(flatten)]
    pub head: Head,
    /// Tools that are not installed, and how to install them.
    pub missing: Vec<String>,
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
    /// Figures by task.
    pub tasks: Vec<TaskFigures>,
}

/// All answers to one question.
#[derive(Debug, Serialize)]
pub struct TaskFigures {
    /// What was asked.
    #[serde(serialize_with = "tasks::serialize")]
    pub task: Task,
    /// How many rows the answer has.
    pub answer_rows: u64,
    /// One row per contestant and number of threads.
    pub rows: Vec<Row>,
}

/// What one contestant did.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Who answered.
    pub tool: String,
    /// The level of zgram's file, in zgram's rows.
    pub level: Option<&'static str>,
    /// The traversal that was forced, if any.
    pub traversal: Option<&'static str>,
    /// With how many threads.
    pub threads: u32,
    /// What it cost.
    pub outcome: Outcome,
}

/// The outcome of a question.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It was answered.
    Answered(Measurement),
    /// It was not, for this reason.
    Not(String),
}

impl Row {
    fn measured(&self) -> Option<&Measurement> {
        match &self.outcome {
            Outcome::Answered(measured) => Some(measured),
            Outcome::Not(_) => None,
        }
    }
}

impl TaskFigures {
    fn find(&self, tool: &str, threads: u32) -> Option<&Measurement> {
        let row = self.rows.iter().find(|row| row.tool == tool && row.threads == threads)?;
        row.measured()
    }

    /// The traversal zgram chose and the fastest, in seconds; if both were measured.
    fn choice(&self) -> Option<(f64, f64)> {
        let seconds = |row: &Row| Some(row.measured()?.wall_seconds);
        let mut compared =
            self.rows.iter().filter(|row| row.level == Some(TRAVERSAL_LEVEL) && row.threads == 1);
        let own = compared.clone().find(|row| row.traversal.is_none())?;
        let forced = compared.by_ref().filter(|row| row.traversal.is_some());
        let best = forced.filter_map(seconds).min_by(f64::total_cmp)?;
        Some((seconds(own)?, best))
    }

    fn write_markdown(&self, corpus: &CorpusFigures, page: &mut String) {
        *page += &format!("\n### {}\n\n{} rows.\n\n", self.task.name(), self.answer_rows);
        *page +=
            "| tool | threads | seconds | MB/s | × raw | goal | peak, MB | peak / raw | goal |\n";
        *page += "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
        for row in &self.rows {
            let Row { tool, threads, .. } = row;
            let cells = match &row.outcome {
                Outcome::Answered(measured) => self.cells(row, measured, corpus),
                Outcome::Not(why) => format!("{why} | | | | | | "),
            };
            *page += &format!("| {tool} | {threads} | {cells} |\n");
        }
    }

    fn cells(&self, row: &Row, measured: &Measurement, corpus: &CorpusFigures) -> String {
        let raw = self.find("raw", row.threads);
        let faster = raw.map(|raw| raw.wall_seconds / measured.wall_seconds);
        let share = raw.map(|raw| measured.peak_rss_bytes as f64 / raw.peak_rss_bytes as f64);
        // Goals are for zgram's own choice of traversal. Speed goals are for traversing grammars, even where
        // the file stores the answer.
        let judged_traversal = goals::traversal(self.task);
        let counted = row.level.filter(|_| row.traversal == judged_traversal);
        let level = row.level.filter(|_| row.traversal.is_none());
        let speed = counted.and_then(|level| goals::speed(self.task, &corpus.name, level));
        let memory = level.and_then(|_| goals::memory(&corpus.name));
        let judged = |goal: Option<f64>, reached: Option<bool>, sign: &str| match (goal, reached) {
            (Some(goal), Some(true)) => format!("{sign} {goal} ✓"),
            (Some(goal), Some(false)) => format!("{sign} {goal} **✗**"),
            _ => String::new(),
        };
        let number = |value: Option<f64>| value.map_or("–".to_owned(), |v| format!("{v:.2}"));
        format!(
            "{:.3} | {:.0} | {} | {} | {:.0} | {} | {}",
            measured.wall_seconds,
            measured.megabytes_per_second(corpus.bytes),
            number(faster),
            judged(speed, speed.zip(faster).map(|(goal, is)| is >= goal), "≥"),
            measured.peak_rss_bytes as f64 / 1e6,
            number(share),
            judged(memory, memory.zip(share).map(|(goal, is)| is <= goal), "≤"),
        )
    }
}

impl Report {
    /// The report as a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = self.head.markdown("Analytics");
        for missing in &self.missing {
            page += &format!("- **MISSING**: {missing}\n");
        }
        page += "\nFrom files on disk to the answer written. × raw: how many times faster than raw with as \
                 many threads. How to read it: `benchmarks/README.md`.\n";
        self.write_choices(&mut page);
        for corpus in &self.corpora {
            let (name, documents) = (&corpus.name, corpus.documents);
            let megabytes = corpus.bytes as f64 / 1e6;
            page += &format!("\n## {name}\n\n{megabytes:.1} MB in {documents} documents.\n");
            for task in &corpus.tasks {
                task.write_markdown(corpus, &mut page);
            }
        }
        page
    }

    /// How good zgram's own choice of a traversal is.
    fn write_choices(&self, page: &mut String) {
        let mut lines = String::new();
        let (mut good, mut all) = (0, 0);
        for corpus in &self.corpora {
            for task in &corpus.tasks {
                let Some((own, best)) = task.choice() else { continue };
                all += 1;
                let ratio = own / best;
                if ratio <= CLOSE {
                    good += 1;
                } else {
                    let (corpus, task) = (&corpus.name, task.task.name());
                    lines += &format!("- {task} on {corpus}: {ratio:.2} × the best traversal\n");
                }
            }
        }
        if all > 0 {
            *page += &format!(
                "\n## The choice of a traversal\n\nWithin 10 % of the best on {good} of {all} pairs of task \
                 and corpus.\n\n{lines}"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::Hardware;

    fn row(tool: &str, level: Option<&'static str>, seconds: f64, peak_rss_bytes: u64) -> Row {
        let measured = Measurement { wall_seconds: seconds, cpu_seconds: seconds, peak_rss_bytes };
        Row {
            tool: tool.into(),
            level,
            traversal: None,
            threads: 1,
            outcome: Outcome::Answered(measured),
        }
    }

    fn report() -> Report {
        let forced = |traversal, seconds| Row {
            traversal: Some(traversal),
            ..row(traversal, Some("default"), seconds, 30_000_000)
        };
        let missing =
            Row { outcome: Outcome::Not("MISSING".into()), ..row("Polars", None, 0.0, 0) };
        let task = TaskFigures {
            task: Task::WordCount,
            answer_rows: 7,
            rows: vec![
                row("zgram, fast", Some("fast"), 0.1, 20_000_000),
                row("zgram, default", Some("default"), 0.5, 30_000_000),
                forced("top-down", 0.25),
                forced("stream", 0.75),
                row("raw", None, 1.0, 50_000_000),
                missing,
            ],
        };
        Report {
            head: Head {
                command: "the command".into(),
                hardware: Hardware { cpu: "Example CPU".into(), cores: 2, memory_bytes: None },
                tools: vec!["zgram 1".into()],
            },
            missing: vec!["Polars is not installed: pip install polars".into()],
            corpora: vec![CorpusFigures {
                name: "gutenberg".into(),
                documents: 3,
                bytes: 10_000_000,
                tasks: vec![task],
            }],
        }
    }

    #[test]
    fn rows_are_judged_against_raw_and_the_goals() {
        let page = report().markdown();
        for line in [
            "| zgram, fast | 1 | 0.100 | 100 | 10.00 |  | 20 | 0.40 | ≤ 0.5 ✓ |",
            "| zgram, default | 1 | 0.500 | 20 | 2.00 |  | 30 | 0.60 | ≤ 0.5 **✗** |",
            "| top-down | 1 | 0.250 | 40 | 4.00 | ≥ 2.5 ✓ | 30 | 0.60 |  |",
            "| raw | 1 | 1.000 | 10 | 1.00 |  | 50 | 1.00 |  |",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
    }

    #[test]
    fn what_is_missing_is_reported_loudly() {
        let page = report().markdown();
        assert!(page.contains("- **MISSING**: Polars is not installed: pip install polars"));
        assert!(page.contains("| Polars | 1 | MISSING | | | | | |  |"), "{page}");
    }

    #[test]
    fn the_choice_of_a_traversal_is_judged() {
        let page = report().markdown();
        assert!(page.contains("on 0 of 1 pairs"), "{page}");
        assert!(page.contains("- word-count on gutenberg: 2.00 × the best traversal"), "{page}");
    }
}
