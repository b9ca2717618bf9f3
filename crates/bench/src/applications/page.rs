//! The report as a Markdown page and its charts: first the paper's figure 17 and its tables 5 and 6 with
//! our figures beside them, then every row of every corpus.

use super::figures::{ApplicationFigures, CorpusFigures, Outcome, Pair, Report, Row};
use super::paper::{self, Paper};
use super::table::Application;
use crate::hardware;
use crate::plots::{Chart, Scale};

/// Follows a figure of zgram that a rival beats.
const BEATEN: &str = " ▼";

impl Report {
    /// The report as a Markdown page.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut page = self.head.markdown("Applications");
        for missing in &self.missing {
            page += &format!("- **MISSING**: {missing}\n");
        }
        if let Some((before, after)) = self.load_averages {
            page += &format!("- {}\n", hardware::load(self.head.hardware.cores, before, after));
        }
        page += "\nFrom files on disk to the answer in a file. Every program is a process of its own. Times are \
                 processor seconds unless a column says otherwise.";
        page +=
            &format!("{BEATEN}: a rival does better. How to read it: `benchmarks/README.md`.\n");
        self.write_speedups(&mut page);
        self.write_memory(&mut page);
        self.write_shares(&mut page);
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

    fn write_speedups(&self, page: &mut String) {
        *page += &format!(
            "\n## Speed-ups (figure 17)\n\nThe rival's processor time divided by zgram's. The paper's program is \
             {} times as fast as its baseline on average, and more than {} times in TF-IDF.\n\n",
            paper::AVERAGE_SPEEDUP,
            paper::TF_IDF_SPEEDUP,
        );
        self.write_heading(page, "rival", false);
        self.write_rivals(page, None, |pair| {
            marked(format!("{:.2}", pair.speedup()), pair.speedup() < 1.0)
        });
    }

    fn write_memory(&self, page: &mut String) {
        *page += "\n## Memory saved (table 6)\n\nPer cent of the rival's peak memory that zgram does not need. The paper's \
                  columns are its program against its baseline, on its data sets D and E.\n\n";
        self.write_heading(page, "rival", true);
        self.write_rivals(page, Some(|paper| paper.memory_saved), |pair| {
            marked(format!("{:.1}", pair.memory_saved()), pair.memory_saved() < 0.0)
        });
    }

    /// A row for each rival, with a cell for each corpus.
    fn write_rivals(
        &self,
        page: &mut String,
        paper: Option<fn(&Paper) -> [f64; 2]>,
        cell: impl Fn(&Pair<'_>) -> String,
    ) {
        for (application, rival) in self.rivals() {
            *page += &format!("| {} | {rival} |", application.name());
            for corpus in &self.corpora {
                let pair = corpus.pair(application, rival);
                *page += &format!(" {} |", pair.as_ref().map_or("–".to_owned(), &cell));
            }
            if let Some(figure) = paper {
                write_paper(page, application, figure);
            }
            *page += "\n";
        }
    }

    /// Table 5, of the applications that the paper has.
    fn write_shares(&self, page: &mut String) {
        *page += "\n## Share of preprocessing (table 5)\n\nPer cent of the program's processor time that precedes computing. The \
                  paper's columns are its baseline's, on its data sets D and E.\n\n";
        self.write_heading(page, "program", true);
        for application in self.applications().filter(|&one| paper::of(one).is_some()) {
            for contestant in application.contestants() {
                *page += &format!("| {} | {} |", application.name(), contestant.name);
                for corpus in &self.corpora {
                    let row = corpus.row(application, contestant.name);
                    let share =
                        row.and_then(Row::done).map(|(_, split)| split.preprocessing_share());
                    let cell =
                        share.map_or("–".to_owned(), |share| format!("{:.1}", 100.0 * share));
                    *page += &format!(" {cell} |");
                }
                write_paper(page, application, |paper| paper.preprocessing);
                *page += "\n";
            }
        }
    }

    fn write_heading(&self, page: &mut String, who: &str, with_paper: bool) {
        let mut columns: Vec<&str> = self.corpora.iter().map(|corpus| &corpus.name[..]).collect();
        if with_paper {
            columns.extend(["paper, D", "paper, E"]);
        }
        *page += &format!("| application | {who} | {} |\n", columns.join(" | "));
        *page += &format!("|---|---|{}\n", "---:|".repeat(columns.len()));
    }

    /// Applications that were measured on any corpus.
    fn applications(&self) -> impl Iterator<Item = Application> {
        let measured = |application: &Application| {
            self.corpora.iter().any(|corpus| corpus.of(*application).is_some())
        };
        Application::ALL.into_iter().filter(measured)
    }

    /// Their rivals.
    fn rivals(&self) -> impl Iterator<Item = (Application, &'static str)> {
        self.applications().flat_map(|application| {
            let rivals = application.contestants().iter().filter(|one| !one.is_zgram());
            rivals.map(move |rival| (application, rival.name))
        })
    }

    /// The charts of the page: a group for each rival, a bar for each corpus.
    #[must_use]
    pub fn charts(&self) -> Vec<Chart> {
        let ratios = |file, title, unit, ratio: fn(&Pair<'_>) -> f64| Chart {
            file,
            title,
            unit,
            scale: Scale::Ratio,
            groups: self.rivals().map(|(_, rival)| rival.to_owned()).collect(),
            series: self.series(|corpus| {
                // What was not measured has no bar: it ends where it begins.
                let of = |(application, rival)| {
                    corpus.pair(application, rival).as_ref().map_or(1.0, ratio)
                };
                self.rivals().map(of).collect()
            }),
        };
        vec![
            ratios(
                "applications-speed",
                "Processor time of rivals, relative to zgram's (figure 17)",
                "times zgram's",
                |pair| pair.speedup(),
            ),
            ratios(
                "applications-memory",
                "Peak memory of rivals, relative to zgram's (table 6)",
                "times zgram's",
                |pair| pair.memory(),
            ),
        ]
    }

    fn series(&self, bars: impl Fn(&CorpusFigures) -> Vec<f64>) -> Vec<(String, Vec<f64>)> {
        self.corpora.iter().map(|corpus| (corpus.name.clone(), bars(corpus))).collect()
    }
}

fn marked(figure: String, is_beaten: bool) -> String {
    if is_beaten { figure + BEATEN } else { figure }
}

/// The paper's two cells; empty where it does not have the application.
fn write_paper(page: &mut String, application: Application, figure: fn(&Paper) -> [f64; 2]) {
    match paper::of(application) {
        Some(paper) => {
            let [d, e] = figure(&paper);
            *page += &format!(" {d:.1} | {e:.1} |");
        }
        None => *page += " | |",
    }
}

impl CorpusFigures {
    fn row(&self, application: Application, name: &str) -> Option<&Row> {
        self.of(application)?.rows.iter().find(|row| row.name == name)
    }

    /// A rival beside zgram, if both finished.
    fn pair(&self, application: Application, rival: &str) -> Option<Pair<'_>> {
        self.of(application)?.pairs().find(|pair| pair.rival.name == rival)
    }

    fn write_markdown(&self, page: &mut String) {
        *page += &format!(
            "\n## {}\n\n{:.1} MB in {} documents; {:.1} MB as zgram's file, {:.1} MB with a stored index.\n",
            self.name,
            self.bytes as f64 / 1e6,
            self.documents,
            self.compressed_bytes as f64 / 1e6,
            self.indexed_bytes as f64 / 1e6,
        );
        if !self.query.is_empty() {
            *page += &format!("BM25 looks for: {}.\n", self.query.join(", "));
        }
        for figures in &self.applications {
            figures.write_markdown(page);
        }
    }
}

impl ApplicationFigures {
    fn write_markdown(&self, page: &mut String) {
        *page += &format!("\n### {}\n\n", self.application.name());
        *page += "| program | start | preprocessing | computing | total | × zgram | elapsed | peak, MB | × zgram | answer |\n";
        *page += "|---|---:|---:|---:|---:|---:|---:|---:|---:|---|\n";
        for row in &self.rows {
            let cells = match &row.outcome {
                Outcome::Done { cost, split } => {
                    let start = split.start.map_or("–".to_owned(), |start| format!("{start:.2}"));
                    let (speedup, memory) = match self.pair(row) {
                        Some(pair) => {
                            (format!("{:.2}", pair.speedup()), format!("{:.2}", pair.memory()))
                        }
                        None => (String::new(), String::new()),
                    };
                    format!(
                        "{start} | {:.2} | {:.2} | {:.2} | {speedup} | {:.2} | {:.0} | {memory} | {}",
                        split.preprocessing,
                        split.computing,
                        cost.cpu_seconds,
                        cost.wall_seconds,
                        cost.peak_rss_bytes as f64 / 1e6,
                        row.agreement.as_deref().unwrap_or_default(),
                    )
                }
                Outcome::Not(why) => format!("{why} | | | | | | | | "),
            };
            *page += &format!("| {} | {cells} |\n", row.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::applications::split::Split;
    use crate::hardware::Hardware;
    use crate::head::Head;
    use crate::measure::Measurement;

    fn row(
        name: &'static str,
        against: Option<&'static str>,
        cpu_seconds: f64,
        megabytes: u64,
    ) -> Row {
        let cost = Measurement {
            wall_seconds: cpu_seconds,
            cpu_seconds,
            peak_rss_bytes: megabytes * 1_000_000,
        };
        let preprocessing = cpu_seconds / 4.0;
        let split = Split { start: None, preprocessing, computing: cpu_seconds - preprocessing };
        Row {
            name,
            is_zgram: against.is_none(),
            against,
            outcome: Outcome::Done { cost, split },
            agreement: against.map(|_| "all 9 cells equal".to_owned()),
        }
    }

    fn report(application: Application, rows: Vec<Row>, load: f64) -> Report {
        Report {
            head: Head {
                command: "the command".into(),
                hardware: Hardware { cpu: "Example CPU".into(), cores: 2, memory_bytes: None },
                tools: vec!["zgram 1".into()],
            },
            missing: vec![],
            load_averages: Some((1.0, load)),
            corpora: vec![CorpusFigures {
                name: "news".into(),
                documents: 3,
                bytes: 10_000_000,
                query: vec![],
                compressed_bytes: 2_000_000,
                indexed_bytes: 3_000_000,
                applications: vec![ApplicationFigures { application, rows }],
            }],
        }
    }

    #[test]
    fn rivals_are_set_against_zgram() {
        let rows = vec![
            row("zgram matrix", None, 2.0, 100),
            row("CountVectorizer", Some("zgram matrix"), 16.0, 400),
        ];
        let page = report(Application::Matrix, rows, 1.2).markdown();
        for line in [
            "| term matrix | CountVectorizer | 8.00 |\n",
            "| term matrix | CountVectorizer | 75.0 | | |\n",
            "| zgram matrix | – | 0.50 | 1.50 | 2.00 |  | 2.00 | 100 |  |  |\n",
            "| CountVectorizer | – | 4.00 | 12.00 | 16.00 | 8.00 | 16.00 | 400 | 4.00 | all 9 cells equal |\n",
            "- Nothing else of weight ran on the machine",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
    }

    #[test]
    fn rows_that_are_lost_are_marked_and_kept() {
        let rows = vec![
            row("zgram matrix", None, 4.0, 200),
            row("CountVectorizer", Some("zgram matrix"), 2.0, 100),
        ];
        let page = report(Application::Matrix, rows, 9.0).markdown();
        for line in [
            "| term matrix | CountVectorizer | 0.50 ▼ |\n",
            "| term matrix | CountVectorizer | -100.0 ▼ | | |\n",
            "**The machine was shared** (load average 1.0 when the run began, 9.0 when it ended)",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
    }

    #[test]
    fn a_rival_without_figures_has_no_ratio() {
        let mut rival = row("CountVectorizer", Some("zgram matrix"), 2.0, 100);
        rival.outcome = Outcome::Not("over 600 s".into());
        let report =
            report(Application::Matrix, vec![row("zgram matrix", None, 4.0, 200), rival], 1.0);
        let page = report.markdown();
        assert!(page.contains("| term matrix | CountVectorizer | – |\n"), "{page}");
        assert!(page.contains("| CountVectorizer | over 600 s | | | | | | | |  |\n"), "{page}");
        for chart in report.charts() {
            assert_eq!(chart.series, [("news".to_owned(), vec![1.0])]);
        }
    }

    #[test]
    fn the_papers_figures_are_beside_ours() {
        let rows = vec![
            row("zgram tf-idf", None, 2.0, 100),
            row("TfidfVectorizer", Some("zgram tf-idf"), 16.0, 400),
        ];
        let page = report(Application::TfIdf, rows, 1.0).markdown();
        for line in [
            "| application | program | news | paper, D | paper, E |\n",
            "| TF-IDF | zgram tf-idf | 25.0 | 44.6 | 64.7 |\n",
            "| TF-IDF | TfidfVectorizer | 75.0 | 60.5 | 76.2 |\n",
        ] {
            assert!(page.contains(line), "{line} in {page}");
        }
        let charts = report(Application::TfIdf, Vec::new(), 1.0).charts();
        assert_eq!(charts[0].groups, ["TfidfVectorizer", "gensim TfidfModel"]);
    }
}
