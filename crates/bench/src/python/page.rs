//! The report as a Markdown page and its charts.

use super::calls::Calls;
use super::table::Task;
use super::{CorpusFigures, Cost, Report, Row, TaskFigures};
use crate::hardware;
use crate::plots::{Chart, Scale};

/// Follows a figure of the package that misses its goal.
const MISSED: &str = " ✗";
/// Follows one that reaches it.
const REACHED: &str = " ✓";

impl Report {
    /// The report as a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = self.head.markdown("Python");
        for missing in &self.missing {
            page += &format!("- **MISSING**: {missing}\n");
        }
        if let Some((before, after)) = self.load_averages {
            page += &format!("- {}\n", hardware::load(self.head.hardware.cores, before, after));
        }
        page += "\nThe package works from zgram's file, the other libraries from plain files; each in a process of its \
                 own, on one thread. Seconds are processor time from when libraries are imported to when the answer is \
                 in memory. How to read it: `benchmarks/README.md`.\n";
        page += &self.calls.markdown();
        page += "\n## Charts\n";
        for chart in self.charts() {
            page += "\n";
            page += &chart.markdown();
        }
        for corpus in &self.corpora {
            corpus.write_markdown(&mut page);
        }
        page
    }

    /// The charts of the page: a group for each rival, a bar for each corpus.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let chart = |file, title, unit, ratio: fn(&Cost, &Cost) -> f64| Chart {
            file,
            title,
            unit,
            scale: Scale::Ratio,
            groups: self.rivals().map(|(task, rival)| group(task, rival)).collect(),
            series: self
                .corpora
                .iter()
                .map(|corpus| {
                    // What was not measured has no bar: it ends where it begins.
                    let bar = |(task, rival)| {
                        corpus.pair(task, rival).map_or(1.0, |(ours, theirs)| ratio(ours, theirs))
                    };
                    (corpus.name.clone(), self.rivals().map(bar).collect())
                })
                .collect(),
        };
        vec![
            chart(
                "python-speed",
                "Processor time of others, relative to the package's",
                "times zgram's",
                speed,
            ),
            chart(
                "python-memory",
                "Peak memory of others, relative to the package's",
                "times zgram's",
                memory,
            ),
        ]
    }

    /// Those that are set against the package, in all tasks that were measured.
    fn rivals(&self) -> impl Iterator<Item = (Task, &'static str)> {
        let is_measured =
            |task: &Task| self.corpora.iter().any(|corpus| corpus.of(*task).is_some());
        let tasks = Task::ALL.into_iter().filter(is_measured);
        tasks.flat_map(|task| task.contestants()[1..].iter().map(move |rival| (task, rival.name)))
    }
}

/// A short name for a chart.
fn group(task: Task, rival: &str) -> String {
    let library = rival.split(' ').next().unwrap_or(rival);
    match library {
        "the" => format!("{}, Rust", task.name()),
        _ => format!("{}, {library}", task.name()),
    }
}

fn speed(ours: &Cost, theirs: &Cost) -> f64 {
    theirs.seconds / ours.seconds.max(1e-6)
}

fn memory(ours: &Cost, theirs: &Cost) -> f64 {
    theirs.peak_bytes as f64 / ours.peak_bytes as f64
}

/// A ratio, and whether it reaches its goal.
fn against(ratio: f64, goal: Option<f64>) -> String {
    let written = if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.1}") };
    match goal {
        Some(goal) if ratio < goal => format!("{written}{MISSED} ({goal:.2})"),
        Some(goal) => format!("{written}{REACHED} ({goal:.2})"),
        None => written,
    }
}

impl Calls {
    fn markdown(&self) -> String {
        let (import, added) = Self::GOALS;
        let mark = |is_reached| if is_reached { REACHED } else { MISSED };
        format!(
            "\n## Single calls\n\n| what | figure | goal |\n|---|---:|---:|\n\
             | `import zgram` after numpy | {:.1} ms{} | {import:.0} ms |\n\
             | `corpus.count(word)`: the library's time | {:.0} ns | |\n\
             | what Python adds to it | {:.0} ns{} | {added:.0} ns |\n\
             | `corpus.count(list of words)` | {:.0} a second | |\n",
            self.import_ms,
            mark(self.import_ms <= import),
            self.rust_ns,
            self.added_ns(),
            mark(self.added_ns() <= added),
            self.phrases_per_second,
        )
    }
}

impl CorpusFigures {
    fn of(&self, task: Task) -> Option<&TaskFigures> {
        self.tasks.iter().find(|figures| figures.task == task)
    }

    /// What the package and a rival cost, if both finished.
    fn pair(&self, task: Task, rival: &str) -> Option<(&Cost, &Cost)> {
        let rows = &self.of(task)?.rows;
        let ours = rows.iter().find(|row| row.is_zgram)?.cost()?;
        Some((ours, rows.iter().find(|row| row.name == rival)?.cost()?))
    }

    fn write_markdown(&self, page: &mut String) {
        *page += &format!(
            "\n## {}\n\n{:.1} MB in {} documents; {:.1} MB as zgram's file.\n\n",
            self.name,
            self.bytes as f64 / 1e6,
            self.documents,
            self.compressed_bytes as f64 / 1e6,
        );
        *page += "| task | program | seconds | × zgram (goal) | peak, MB | × zgram (goal) | beyond libraries, MB | answer |\n\
                  |---|---|---:|---:|---:|---:|---:|---|\n";
        for figures in &self.tasks {
            for row in &figures.rows {
                *page += &self.row(figures.task, row);
            }
        }
    }

    fn row(&self, task: Task, row: &Row) -> String {
        let Some(cost) = row.cost() else {
            let super::Outcome::Not(why) = &row.outcome else { return String::new() };
            return format!("| {} | {} | {why} | | | | | |\n", task.name(), row.name);
        };
        let goals = task.goals(&self.name);
        let (times, memories) = match self.pair(task, row.name).filter(|_| !row.is_zgram) {
            Some((ours, theirs)) => {
                (against(speed(ours, theirs), goals.0), against(memory(ours, theirs), goals.1))
            }
            None => Default::default(),
        };
        format!(
            "| {} | {} | {:.3} | {times} | {:.0} | {memories} | {:.0} | {} |\n",
            task.name(),
            row.name,
            cost.seconds,
            cost.peak_bytes as f64 / 1e6,
            cost.grown_bytes as f64 / 1e6,
            // Without its hash.
            cost.answer
                .rsplit_once(' ')
                .filter(|(_, hash)| hash.len() == 64)
                .map_or(&cost.answer[..], |(size, _)| size),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::super::Outcome;
    use super::*;
    use crate::hardware::Hardware;
    use crate::head::Head;

    fn row(name: &'static str, is_zgram: bool, seconds: f64, megabytes: u64) -> Row {
        let cost = Cost {
            seconds,
            peak_bytes: megabytes * 1_000_000,
            grown_bytes: 1_000_000,
            answer: format!("9 cells {}", "a".repeat(64)),
        };
        Row { name, is_zgram, outcome: Outcome::Done(cost) }
    }

    fn report(seconds: f64) -> Report {
        let [ours, theirs] = super::super::table::Task::Counts.contestants() else { panic!() };
        let rows = vec![row(ours.name, true, 0.5, 100), row(theirs.name, false, seconds, 400)];
        Report {
            head: Head {
                command: "the command".into(),
                hardware: Hardware { cpu: "Example CPU".into(), cores: 2, memory_bytes: None },
                tools: vec!["zgram 1".into()],
            },
            missing: vec![],
            load_averages: Some((1.0, 1.0)),
            calls: Calls {
                import_ms: 21.5,
                rust_ns: 100.0,
                python_ns: 1300.0,
                phrases_per_second: 1e6,
            },
            corpora: vec![CorpusFigures {
                name: "news".into(),
                documents: 3,
                bytes: 10_000_000,
                compressed_bytes: 2_000_000,
                tasks: vec![TaskFigures { task: Task::Counts, rows }],
            }],
        }
    }

    #[test]
    fn others_are_set_against_the_package() {
        let page = report(5.0).markdown();
        for line in [
            "| count matrix | zgram.sklearn CountVectorizer | 0.500 |  | 100 |  | 1 | 9 cells |\n",
            "| count matrix | scikit-learn CountVectorizer | 5.000 | 10.0 ✓ (8.00) | 400 | 4.00 ✓ (3.00) | 1 | 9 cells |\n",
            "| `import zgram` after numpy | 21.5 ms ✓ | 40 ms |\n",
            "| what Python adds to it | 1200 ns ✗ | 1000 ns |\n",
            "- Nothing else of weight ran on the machine",
            "![Processor time of others, relative to the package's](python-speed.svg)",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
    }

    #[test]
    fn what_misses_its_goal_says_so() {
        let report = report(2.0);
        assert!(report.markdown().contains("| 4.00 ✗ (8.00) |"), "{}", report.markdown());
        let charts = report.charts();
        assert_eq!(charts[0].groups, ["count matrix, scikit-learn"]);
        assert_eq!(charts[0].series, [("news".to_owned(), vec![4.0])]);
    }

    #[test]
    fn a_library_that_is_missing_keeps_its_row() {
        let mut report = report(2.0);
        report.corpora[0].tasks[0].rows[1].outcome = Outcome::Not("**MISSING**: why".into());
        let page = report.markdown();
        assert!(
            page.contains("| scikit-learn CountVectorizer | **MISSING**: why | | | | | |\n"),
            "{page}"
        );
        assert_eq!(report.charts()[0].series, [("news".to_owned(), vec![1.0])]);
    }
}
