//! The tasks, and who does each.

use clap::ValueEnum;
use serde::Serialize;

/// What is asked of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// `CountVectorizer().fit_transform`.
    Counts,
    /// `TfidfVectorizer().fit_transform`.
    TfIdf,
    /// How often each word occurs, as a data frame.
    Words,
    /// How often each word occurs in each document, as a data frame.
    Vectors,
    /// A dictionary, and documents as bags of words.
    Bags,
}

/// One who does a task.
#[derive(Clone, Copy, Debug)]
pub struct Contestant {
    /// Name of the row.
    pub name: &'static str,
    /// What runs.
    pub program: Program,
}

/// What a contestant runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A script in `benchmarks/python`.
    Script(&'static str),
    /// The Rust library, without Python.
    Library,
}

/// The script of the package.
pub const PACKAGE: &str = "zgram_python.py";

/// Libraries and their scripts.
pub const LIBRARIES: [(&str, &str); 5] = [
    ("the package zgram", PACKAGE),
    ("scikit-learn", "sklearn_python.py"),
    ("gensim", "gensim_python.py"),
    ("polars", "polars_python.py"),
    ("DuckDB", "duckdb_python.py"),
];

const fn script(name: &'static str, script: &'static str) -> Contestant {
    Contestant { name, program: Program::Script(script) }
}

const COUNTS: [Contestant; 2] = [
    script("zgram.sklearn CountVectorizer", PACKAGE),
    script("scikit-learn CountVectorizer", "sklearn_python.py"),
];
const TF_IDF: [Contestant; 2] = [
    script("zgram.sklearn TfidfVectorizer", PACKAGE),
    script("scikit-learn TfidfVectorizer", "sklearn_python.py"),
];
const WORDS: [Contestant; 3] = [
    script("zgram word_count().to_polars()", PACKAGE),
    script("polars", "polars_python.py"),
    script("DuckDB", "duckdb_python.py"),
];
const VECTORS: [Contestant; 2] = [
    script("zgram term_vector().to_polars()", PACKAGE),
    Contestant { name: "the same query in Rust", program: Program::Library },
];
const BAGS: [Contestant; 2] = [
    script("zgram.gensim Bow, Dictionary", PACKAGE),
    script("gensim doc2bow, Dictionary", "gensim_python.py"),
];

impl Task {
    /// Every task, in the order of the report.
    pub const ALL: [Self; 5] = [Self::Counts, Self::TfIdf, Self::Words, Self::Vectors, Self::Bags];

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Counts => "count matrix",
            Self::TfIdf => "TF-IDF",
            Self::Words => "word counts",
            Self::Vectors => "term vectors",
            Self::Bags => "bags of words",
        }
    }

    /// Its name on command lines.
    #[must_use]
    pub fn argument(self) -> &'static str {
        match self {
            Self::Counts => "counts",
            Self::TfIdf => "tf-idf",
            Self::Words => "words",
            Self::Vectors => "vectors",
            Self::Bags => "bags",
        }
    }

    /// Those who do it. The first row is the package's, the others are set against it.
    #[must_use]
    pub fn contestants(self) -> &'static [Contestant] {
        match self {
            Self::Counts => &COUNTS,
            Self::TfIdf => &TF_IDF,
            Self::Words => &WORDS,
            Self::Vectors => &VECTORS,
            Self::Bags => &BAGS,
        }
    }

    /// How many times the package's processor time the others should at least take on a corpus, and how
    /// many times its memory.
    #[must_use]
    pub fn goals(self, corpus: &str) -> (Option<f64>, Option<f64>) {
        match self {
            Self::Counts if corpus == "hadoop-logs" => (Some(40.0), None),
            Self::Counts => (Some(8.0), Some(3.0)),
            Self::Bags => (Some(10.0), None),
            // A query in Rust takes less time, but not much less.
            Self::Vectors => (Some(1.0 / 1.3), None),
            Self::TfIdf | Self::Words => (None, None),
        }
    }
}
