//! The suite: cases of input, question and expected answer, read from `tests/suite/*.toml`.
//!
//! One set of cases for every engine and traversal, in any language; `tests/suite/README.md`
//! describes the files. An engine is tested by asking it every question:
//!
//! ```
//! # use zgram_testkit::oracle::{Row, answer};
//! # use zgram_testkit::suite::Case;
//! # fn engine(case: &Case) -> Vec<Row> { answer(&case.documents, &case.question) }
//! for case in zgram_testkit::suite::cases() {
//!     assert_eq!(engine(&case), case.expected, "{case}");
//! }
//! ```

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::Document;
use crate::oracle::{Question, Row};

/// Documents, a question about them, and the answer.
#[derive(Clone, Debug)]
pub struct Case {
    /// The file that contains it, without folder and ending.
    pub file: String,
    /// What it shows; unique in its file.
    pub name: String,
    /// The corpus, in its order, which is also the order of the names' bytes.
    pub documents: Vec<Document>,
    /// What is asked.
    pub question: Question,
    /// The rows of the answer, in order.
    pub expected: Vec<Row>,
}

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "tests/suite/{}.toml: {}", self.file, self.name)
    }
}

/// All cases.
///
/// # Panics
/// When a file is missing or malformed.
#[must_use]
pub fn cases() -> Vec<Case> {
    let mut paths: Vec<PathBuf> = fs::read_dir(workspace().join("tests/suite"))
        .expect("the folder of the suite")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "toml"))
        .collect();
    paths.sort();
    paths.iter().flat_map(|path| read(path)).collect()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenFile {
    case: Vec<WrittenCase>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCase {
    name: String,
    documents: Vec<WrittenDocument>,
    question: Question,
    rows: Vec<WrittenRow>,
}

/// A document whose text is given in one of the four ways of [`Part`], or as several of them.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenDocument {
    name: String,
    text: Option<String>,
    bytes: Option<String>,
    sample: Option<String>,
    repeat: Option<usize>,
    #[serde(default)]
    parts: Vec<Part>,
}

/// A piece of a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    /// Plain text.
    text: Option<String>,
    /// Text in which `\xHH` is a byte and `\\` a backslash.
    bytes: Option<String>,
    /// A file of `samples/books`.
    sample: Option<String>,
    /// The same, repeated this often.
    repeat: Option<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenRow {
    OfCorpus(String, u64),
    OfDocument(String, u64, String),
}

fn read(path: &Path) -> Vec<Case> {
    let text = fs::read_to_string(path).expect("a file of the suite");
    let file: WrittenFile =
        toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let stem = path.file_stem().expect("a file has a name").to_string_lossy();
    file.case.into_iter().map(|case| case.read(&stem)).collect()
}

impl WrittenCase {
    fn read(self, file: &str) -> Case {
        let documents: Vec<Document> =
            self.documents.into_iter().map(WrittenDocument::read).collect();
        assert!(
            documents.is_sorted_by(|a, b| a.name < b.name),
            "{file}: {}: documents must be in the order of their names",
            self.name
        );
        Case {
            file: file.to_owned(),
            name: self.name,
            documents,
            question: self.question,
            expected: self.rows.into_iter().map(WrittenRow::read).collect(),
        }
    }
}

impl WrittenDocument {
    fn read(self) -> Document {
        let Self { name, text, bytes, sample, repeat, mut parts } = self;
        if parts.is_empty() {
            parts.push(Part { text, bytes, sample, repeat });
        } else {
            assert!(
                text.is_none() && bytes.is_none() && sample.is_none() && repeat.is_none(),
                "{name} has parts or a text, not both"
            );
        }
        let text: Vec<u8> = parts.iter().flat_map(Part::read).collect();
        Document::new(name, text)
    }
}

impl Part {
    fn read(&self) -> Vec<u8> {
        let once = match (&self.text, &self.bytes, &self.sample) {
            (Some(text), None, None) => text.clone().into_bytes(),
            (None, Some(bytes), None) => unescape(bytes),
            (None, None, Some(name)) => {
                fs::read(workspace().join("samples/books").join(name)).expect("a sample")
            }
            _ => panic!("a text is given as one of text, bytes, sample"),
        };
        once.repeat(self.repeat.unwrap_or(1))
    }
}

impl WrittenRow {
    fn read(self) -> Row {
        let (words, count, document) = match self {
            Self::OfCorpus(words, count) => (words, count, None),
            Self::OfDocument(words, count, document) => (words, count, Some(document)),
        };
        Row { words: words.into(), count, document: document.map(Into::into) }
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'\\' {
            bytes.push(*first);
        } else if let Some(after) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = after;
        } else {
            let digits = text.get(text.len() - rest.len()..).and_then(|rest| rest.get(..3));
            let digits = digits.and_then(|digits| digits.strip_prefix('x'));
            let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
            bytes.push(byte.unwrap_or_else(|| panic!("{text:?}: after \\ comes xHH or \\")));
            rest = &rest[3..];
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::oracle::{Task, answer};

    #[test]
    fn the_oracle_gives_the_expected_answers() {
        for case in cases() {
            assert_eq!(answer(&case.documents, &case.question), case.expected, "{case}");
        }
    }

    #[test]
    fn every_task_and_option_is_asked_for() {
        let cases = cases();
        assert!(cases.len() >= 40);
        let names: HashSet<String> = cases.iter().map(Case::to_string).collect();
        assert_eq!(names.len(), cases.len(), "names are unique");
        for task in Task::ALL {
            assert!(cases.iter().filter(|case| case.question.task == task).count() >= 5);
        }
        let asked = |has: fn(&Question) -> bool| cases.iter().any(|case| has(&case.question));
        assert!(asked(|question| question.corpus) && asked(|question| question.reverse));
        assert!(asked(|question| question.top.is_some() && question.task == Task::TermVector));
        assert!(asked(|question| !question.documents.is_empty()));
        assert!(asked(|question| question.units.is_some() && question.min_docs > 1));
        assert!(asked(|question| question.min_count > 1) && asked(|q| q.max_docs.is_some()));
        assert!(asked(|question| question.view.lower) && asked(|question| question.view.fold));
        assert!(asked(|question| question.view.stem.is_some()));
        assert!(asked(|question| question.view.stop_language.is_some()));
        assert!(asked(|question| question.view.no_digits) && asked(|q| q.view.min_len > 0));
        assert!(asked(|question| question.view.matching.is_some()));
        assert!(asked(|question| question.view.no_match.is_some()));
        assert!(asked(|question| question.view.sklearn && question.task.has_sequences()));
    }

    #[test]
    fn escapes_stand_for_any_byte() {
        assert_eq!(unescape(r"a\xff\x00\\x é"), b"a\xff\x00\\x \xc3\xa9");
    }

    #[test]
    #[should_panic(expected = "after \\ comes")]
    fn a_lone_backslash_is_refused() {
        unescape(r"a\n");
    }
}
