//! The figures of a compression benchmark, and their rendering as a Markdown table.
//!
//! The serialised form of [`Report`] is for programs: raw bytes and seconds, nothing derived.
//! In the table the best figure of a column is bold, and a figure of zgram that some rival
//! beats on that corpus is marked; no row is ever left out.

use serde::Serialize;

use crate::head::Head;
use crate::measure::Measurement;
use crate::rivals::{XZ, ZSTD};

/// Follows a figure of zgram that a rival beats.
const BEATEN: &str = " ▼";

/// One whole run of the benchmark.
#[derive(Debug, Serialize)]
pub struct Report {
    /// How it was made.
    #[serde(flatten)]
    pub head: Head,
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
    /// One row per tool and setting.
    pub rows: Vec<Row>,
}

/// What one tool did to one corpus.
#[derive(Debug, Serialize)]
pub struct Row {
    /// Tool and setting.
    pub tool: String,
    /// Whether this is our own row.
    pub is_zgram: bool,
    /// Size of the compressed file.
    pub compressed_bytes: u64,
    /// Cost of compressing with one thread.
    pub compress: Measurement,
    /// Cost of compressing with two threads, where measured.
    pub compress_two_threads: Option<Measurement>,
    /// Cost of decompressing with one thread.
    pub decompress: Measurement,
    /// Seconds from the file to a grammar in memory, where there is one.
    pub load_seconds: Option<f64>,
    /// The same, with roots tallied block by block instead of laid out.
    pub tally_seconds: Option<f64>,
}

/// A column of figures.
struct Column {
    heading: &'static str,
    decimals: usize,
    higher_is_better: bool,
    value: fn(&Row, &CorpusFigures) -> Option<f64>,
}

const COLUMNS: [Column; 10] = [
    Column {
        heading: "size, % of text",
        decimals: 2,
        higher_is_better: false,
        value: |row, corpus| Some(100.0 * row.compressed_bytes as f64 / corpus.bytes as f64),
    },
    Column {
        heading: "size / xz -9e",
        decimals: 3,
        higher_is_better: false,
        value: |row, corpus| corpus.size_relative_to(row, XZ),
    },
    Column {
        heading: "size / zstd -19",
        decimals: 3,
        higher_is_better: false,
        value: |row, corpus| corpus.size_relative_to(row, ZSTD),
    },
    Column {
        heading: "compress, MB/s",
        decimals: 2,
        higher_is_better: true,
        value: |row, corpus| Some(row.compress.megabytes_per_second(corpus.bytes)),
    },
    Column {
        heading: "same, 2 threads",
        decimals: 2,
        higher_is_better: true,
        value: |row, corpus| {
            row.compress_two_threads.map(|cost| cost.megabytes_per_second(corpus.bytes))
        },
    },
    Column {
        heading: "decompress, MB/s",
        decimals: 1,
        higher_is_better: true,
        value: |row, corpus| Some(row.decompress.megabytes_per_second(corpus.bytes)),
    },
    Column {
        heading: "load, MB/s",
        decimals: 0,
        higher_is_better: true,
        value: |row, corpus| Some(corpus.bytes as f64 / 1e6 / row.load_seconds?),
    },
    Column {
        heading: "same, by blocks",
        decimals: 0,
        higher_is_better: true,
        value: |row, corpus| Some(corpus.bytes as f64 / 1e6 / row.tally_seconds?),
    },
    Column {
        heading: "compress peak, MB",
        decimals: 0,
        higher_is_better: false,
        value: |row, _| Some(row.compress.peak_rss_bytes as f64 / 1e6),
    },
    Column {
        heading: "decompress peak, MB",
        decimals: 0,
        higher_is_better: false,
        value: |row, _| Some(row.decompress.peak_rss_bytes as f64 / 1e6),
    },
];

impl Report {
    /// The report as a Markdown page.
    pub fn markdown(&self) -> String {
        let mut page = self.head.markdown("Compression");
        page += &format!(
            "\nOne thread each unless said otherwise. Bold: best of the column.{BEATEN}: a rival \
             does better. How to read it: `benchmarks/README.md`.\n"
        );
        for corpus in &self.corpora {
            corpus.write_markdown(&mut page);
        }
        page
    }
}

impl CorpusFigures {
    /// Size of the row's file relative to that of the tool named `tool`, if it took part.
    fn size_relative_to(&self, row: &Row, tool: &str) -> Option<f64> {
        let other = self.rows.iter().find(|other| other.tool == tool)?;
        Some(row.compressed_bytes as f64 / other.compressed_bytes as f64)
    }

    fn write_markdown(&self, page: &mut String) {
        let megabytes = self.bytes as f64 / 1e6;
        let (name, documents) = (&self.name, self.documents);
        *page += &format!("\n## {name}\n\n{megabytes:.1} MB in {documents} documents.\n\n");
        *page += "| tool |";
        for column in &COLUMNS {
            *page += &format!(" {} |", column.heading);
        }
        *page += "\n|---|";
        *page += &"---:|".repeat(COLUMNS.len());
        *page += "\n";
        for row in &self.rows {
            *page += &format!("| {} |", row.tool);
            for column in &COLUMNS {
                *page += &format!(" {} |", column.cell(row, self));
            }
            *page += "\n";
        }
    }
}

impl Column {
    fn cell(&self, row: &Row, corpus: &CorpusFigures) -> String {
        let Some(value) = (self.value)(row, corpus) else { return "–".to_owned() };
        let beaten_by = |other: &&Row| {
            (self.value)(other, corpus).is_some_and(|theirs| self.is_better(theirs, value))
        };
        let mut cell = format!("{value:.*}", self.decimals);
        if !corpus.rows.iter().any(|other| beaten_by(&other)) {
            cell = format!("**{cell}**");
        }
        if row.is_zgram && corpus.rows.iter().filter(|other| !other.is_zgram).any(|r| beaten_by(&r))
        {
            cell.push_str(BEATEN);
        }
        cell
    }

    fn is_better(&self, left: f64, right: f64) -> bool {
        if self.higher_is_better { left > right } else { left < right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hardware::Hardware;

    fn cost(wall_seconds: f64, peak_rss_bytes: u64) -> Measurement {
        Measurement { wall_seconds, cpu_seconds: wall_seconds, peak_rss_bytes }
    }

    fn report() -> Report {
        let rival = |tool: &str, compressed_bytes| Row {
            tool: tool.into(),
            is_zgram: false,
            compressed_bytes,
            compress: cost(10.0, 50_000_000),
            compress_two_threads: None,
            decompress: cost(0.1, 5_000_000),
            load_seconds: None,
            tally_seconds: None,
        };
        let zgram = Row {
            tool: "zgram --level max".into(),
            is_zgram: true,
            compressed_bytes: 2_000_000,
            compress: cost(2.0, 80_000_000),
            compress_two_threads: Some(cost(1.0, 90_000_000)),
            decompress: cost(0.5, 5_000_000),
            load_seconds: Some(0.01),
            tally_seconds: Some(0.005),
        };
        Report {
            head: Head {
                command: "the command".into(),
                hardware: Hardware {
                    cpu: "Example CPU".into(),
                    cores: 2,
                    memory_bytes: Some(8 << 30),
                },
                tools: vec!["xz 5".into(), "zstd 1".into()],
            },
            corpora: vec![CorpusFigures {
                name: "books".into(),
                documents: 3,
                bytes: 10_000_000,
                rows: vec![zgram, rival(ZSTD, 4_000_000), rival(XZ, 2_500_000)],
            }],
        }
    }

    fn row_of(page: &str, tool: &str) -> Vec<String> {
        let start = format!("| {tool} |");
        let line = page.lines().find(|line| line.starts_with(&start)).unwrap();
        line.split('|').skip(2).map(|cell| cell.trim().to_owned()).take(COLUMNS.len()).collect()
    }

    #[test]
    fn the_head_names_command_machine_and_tools() {
        let page = report().markdown();
        for part in ["`the command`", "Example CPU, 2 cores, 8 GiB memory", "- Tools: xz 5, zstd 1"]
        {
            assert!(page.contains(part), "{part} in {page}");
        }
        assert!(page.contains("## books\n\n10.0 MB in 3 documents."));
    }

    #[test]
    fn figures_are_relative_to_the_text_and_to_the_rivals() {
        let page = report().markdown();
        let zgram = row_of(&page, "zgram --level max");
        assert_eq!(&zgram[..3], ["**20.00**", "**0.800**", "**0.500**"]);
        assert_eq!(&zgram[3..5], ["**5.00**", "**10.00**"]);
        let xz = row_of(&page, XZ);
        assert_eq!(&xz[..5], ["25.00", "1.000", "0.625", "1.00", "–"]);
    }

    #[test]
    fn what_zgram_loses_is_kept_and_marked() {
        let zgram = row_of(&report().markdown(), "zgram --level max");
        assert_eq!(&zgram[5..], ["20.0 ▼", "**1000**", "**2000**", "80 ▼", "**5**"]);
    }

    #[test]
    fn a_row_beaten_only_by_zgram_is_not_marked() {
        let mut report = report();
        report.corpora[0].rows[2].is_zgram = true;
        assert_eq!(row_of(&report.markdown(), XZ)[0], "25.00");
    }

    #[test]
    fn without_the_reference_tool_relative_sizes_are_left_open() {
        let mut report = report();
        report.corpora[0].rows.truncate(1);
        let zgram = row_of(&report.markdown(), "zgram --level max");
        assert_eq!(&zgram[..3], ["**20.00**", "–", "–"]);
    }

    #[test]
    fn programs_get_raw_figures() {
        let json = serde_json::to_value(report()).unwrap();
        let row = &json["corpora"][0]["rows"][0];
        assert_eq!(row["compressed_bytes"], 2_000_000);
        assert_eq!(row["compress_two_threads"]["wall_seconds"], 1.0);
        assert_eq!(json["corpora"][0]["rows"][1]["compress_two_threads"], serde_json::Value::Null);
    }
}
