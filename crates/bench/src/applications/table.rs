//! The applications, and who runs each.

use clap::ValueEnum;
use serde::Serialize;

use super::contestants::{Against, Contestant, Program, Script};

/// What is made of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Application {
    /// Documents × words.
    Matrix,
    /// Documents × words and pairs of words.
    Bigrams,
    /// Documents × words, weighted.
    TfIdf,
    /// The best documents for a query.
    Bm25,
    /// Words × words that occur near each other.
    Cooccurrence,
    /// A vector for each word.
    Word2vec,
    /// Topics of words and of documents.
    Lda,
}

impl Application {
    /// Every application, in the order of the report.
    pub const ALL: [Self; 7] = [
        Self::Matrix,
        Self::Bigrams,
        Self::TfIdf,
        Self::Bm25,
        Self::Cooccurrence,
        Self::Word2vec,
        Self::Lda,
    ];

    /// Its name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Matrix => "term matrix",
            Self::Bigrams => "term matrix, (1,2)-grams",
            Self::TfIdf => "TF-IDF",
            Self::Bm25 => "BM25",
            Self::Cooccurrence => "co-occurrence",
            Self::Word2vec => "word2vec",
            Self::Lda => "LDA",
        }
    }

    /// Those who run it. zgram's rows come before the rivals that are compared with them.
    #[must_use]
    pub fn contestants(self) -> &'static [Contestant] {
        match self {
            Self::Matrix => &MATRIX,
            Self::Bigrams => &BIGRAMS,
            Self::TfIdf => &TF_IDF,
            Self::Bm25 => &BM25,
            Self::Cooccurrence => &COOCCURRENCE,
            Self::Word2vec => &WORD2VEC,
            Self::Lda => &LDA,
        }
    }
}

/// Where zgram's time goes before it has counts, in the words of `--stats`.
const COUNTING: Program = Program::Zgram { preprocessing: &["open", "load", "traverse", "merge"] };

const SKLEARN: Script = Script { tool: "scikit-learn", file: "sklearn_applications.py" };

const GENSIM: Script = Script { tool: "gensim", file: "gensim_applications.py" };
const BM25S: Script = Script { tool: "bm25s", file: "bm25s_applications.py" };
const TOMOTOPY: Script = Script { tool: "tomotopy", file: "tomotopy_applications.py" };

const MATRIX: [Contestant; 3] = [
    Contestant {
        name: "zgram matrix",
        program: COUNTING,
        before: &[],
        arguments: &[
            "matrix",
            "{corpus}",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "zgram matrix, stored index",
        program: COUNTING,
        before: &[],
        arguments: &[
            "matrix",
            "{indexed}",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: Some(Against { ours: "zgram matrix", kind: "counts" }),
    },
    Contestant {
        name: "CountVectorizer",
        program: Program::Script(SKLEARN),
        before: &[],
        arguments: &["matrix", "{folder}", "{output}.npz", "n=1"],
        against: Some(Against { ours: "zgram matrix", kind: "counts" }),
    },
];

const BIGRAMS: [Contestant; 2] = [
    Contestant {
        name: "zgram matrix -n 1:2",
        program: COUNTING,
        before: &[],
        arguments: &[
            "matrix",
            "{corpus}",
            "-n",
            "1:2",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "CountVectorizer, (1,2)",
        program: Program::Script(SKLEARN),
        before: &[],
        arguments: &["matrix", "{folder}", "{output}.npz", "n=2"],
        against: Some(Against { ours: "zgram matrix -n 1:2", kind: "counts" }),
    },
];

const TF_IDF: [Contestant; 4] = [
    Contestant {
        name: "zgram tf-idf",
        program: COUNTING,
        before: &[],
        arguments: &[
            "tf-idf",
            "{corpus}",
            "--scheme",
            "sklearn",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "zgram tf-idf --scheme gensim",
        program: COUNTING,
        before: &[],
        arguments: &[
            "tf-idf",
            "{corpus}",
            "--scheme",
            "gensim",
            "--sklearn",
            "--lower",
            "--format",
            "npz",
            "-o",
            "{output}.npz",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "TfidfVectorizer",
        program: Program::Script(SKLEARN),
        before: &[],
        arguments: &["tf-idf", "{folder}", "{output}.npz"],
        against: Some(Against { ours: "zgram tf-idf", kind: "weights" }),
    },
    Contestant {
        name: "gensim TfidfModel",
        program: Program::Script(GENSIM),
        before: &[],
        arguments: &["tf-idf", "{folder}", "{output}.npz"],
        against: Some(Against { ours: "zgram tf-idf --scheme gensim", kind: "weights" }),
    },
];

const BM25: [Contestant; 4] = [
    Contestant {
        name: "zgram rank",
        program: COUNTING,
        before: &[],
        arguments: &[
            "rank",
            "{corpus}",
            "{words}",
            "--top",
            "10",
            "--sklearn",
            "--lower",
            "--format",
            "tsv",
            "-o",
            "{output}.tsv",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "zgram rank, stored index",
        program: COUNTING,
        before: &[],
        arguments: &[
            "rank",
            "{indexed}",
            "{words}",
            "--top",
            "10",
            "--sklearn",
            "--lower",
            "--format",
            "tsv",
            "-o",
            "{output}.tsv",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: Some(Against { ours: "zgram rank", kind: "scores" }),
    },
    Contestant {
        name: "bm25s",
        program: Program::Script(BM25S),
        before: &[],
        arguments: &["bm25", "{folder}", "{output}.tsv", "words={words}", "k=10"],
        against: Some(Against { ours: "zgram rank", kind: "scores" }),
    },
    Contestant {
        name: "bm25s, stored index",
        program: Program::Script(BM25S),
        before: &["bm25-index", "{folder}", "{store}"],
        arguments: &[
            "bm25-stored",
            "{folder}",
            "{output}.tsv",
            "words={words}",
            "k=10",
            "index={store}",
        ],
        against: Some(Against { ours: "zgram rank", kind: "scores" }),
    },
];

const COOCCURRENCE: [Contestant; 2] = [
    Contestant {
        name: "zgram cooccurrence",
        // Counting pairs is the application.
        program: Program::Zgram { preprocessing: &["open", "load"] },
        before: &[],
        arguments: &[
            "cooccurrence",
            "{corpus}",
            "--window",
            "15",
            "--min-count",
            "5",
            "--format",
            "glove",
            "-o",
            "{output}",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "GloVe's cooccur",
        program: Program::Glove,
        before: &[],
        arguments: &["{folder}", "-o", "{output}", "--window", "15", "--min-count", "5"],
        against: Some(Against { ours: "zgram cooccurrence", kind: "cooccurrences" }),
    },
];

const WORD2VEC: [Contestant; 2] = [
    Contestant {
        name: "zgram word2vec",
        program: Program::Zgram { preprocessing: &["open", "count"] },
        before: &[],
        arguments: &[
            "word2vec",
            "{corpus}",
            "--sklearn",
            "--lower",
            "-o",
            "{output}.bin",
            "--size",
            "100",
            "--window",
            "5",
            "--negative",
            "5",
            "--min-count",
            "5",
            "--epochs",
            "{epochs}",
            "--seed",
            "1",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "gensim Word2Vec",
        program: Program::Script(GENSIM),
        before: &[],
        arguments: &[
            "word2vec",
            "{folder}",
            "{output}.bin",
            "size=100",
            "window=5",
            "negative=5",
            "min_count=5",
            "skip_gram=0",
            "epochs={epochs}",
            "threads={threads}",
        ],
        against: Some(Against { ours: "zgram word2vec", kind: "neighbours" }),
    },
];

const LDA: [Contestant; 3] = [
    Contestant {
        name: "zgram lda",
        program: Program::Zgram { preprocessing: &["open", "count"] },
        before: &[],
        arguments: &[
            "lda",
            "{corpus}",
            "--sklearn",
            "--lower",
            "-o",
            "{output}",
            "--topics",
            "50",
            "--alpha",
            "0.1",
            "--beta",
            "0.01",
            "--iterations",
            "{iterations}",
            "--checkpoint",
            "0",
            "--seed",
            "1",
            "--stats",
            "--threads",
            "{threads}",
        ],
        against: None,
    },
    Contestant {
        name: "tomotopy",
        program: Program::Script(TOMOTOPY),
        before: &[],
        arguments: &[
            "lda",
            "{folder}",
            "{output}.npz",
            "topics=50",
            "alpha=0.1",
            "beta=0.01",
            "iterations={iterations}",
            "threads={threads}",
        ],
        against: Some(Against { ours: "zgram lda", kind: "topics" }),
    },
    Contestant {
        name: "scikit-learn, online LDA",
        program: Program::Script(SKLEARN),
        before: &[],
        arguments: &[
            "lda",
            "{folder}",
            "{output}.npz",
            "topics=50",
            "alpha=0.1",
            "beta=0.01",
            "iterations={iterations}",
        ],
        against: Some(Against { ours: "zgram lda", kind: "topics" }),
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_are_set_against_rows_of_zgram() {
        for application in Application::ALL {
            let contestants = application.contestants();
            for (number, contestant) in contestants.iter().enumerate() {
                let Some(against) = &contestant.against else { continue };
                let ours = contestants[..number].iter().find(|one| one.name == against.ours);
                assert!(ours.is_some_and(Contestant::is_zgram), "{}", contestant.name);
            }
        }
    }
}
