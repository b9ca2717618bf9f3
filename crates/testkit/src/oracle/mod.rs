//! The naive oracle: every analytics task answered from the plain text, in the plainest way.
//!
//! No grammar, no ids, no sharing: each document is cut into words, words become counted sequences
//! in a sorted map, and rows are sorted as the task asks. It is slow and obviously correct; every engine and
//! every traversal must give exactly these rows in exactly this order.
//!
//! The definitions, task by task:
//!
//! | task | a row | order of the rows |
//! |---|---|---|
//! | word-count | word, count | falling count, then bytes |
//! | sort | word, count | bytes, or with [`SortBy::Count`] as word-count; `reverse` turns it round |
//! | inverted-index | word, count, document | bytes, then the corpus's order |
//! | term-vector | word, count, document | the corpus's order, then falling count, then bytes |
//! | sequence-count | sequence, count, document | as term-vector |
//! | the same with `corpus` | sequence, count | falling count, then bytes |
//! | ranked-inverted-index | sequence, count, document | bytes, then falling count, then the corpus's order |
//!
//! Sequences are compared word by word. Their words follow each other in one document, whatever
//! separates them. A word that the [`View`] leaves out ends a sequence, unless the question has `gaps`.
//! Where the question has `units`, a unit takes the place of each document, in the order of their first
//! documents; its counts are the sums of its documents'. Limits leave words or sequences out of the answer,
//! by what is counted in all documents asked about.

mod cooccurrence;
mod keyness;
mod matrix;
mod rank;
mod view;
mod words;

pub use cooccurrence::{
    CooccurrenceQuestion, Cooccurrences, Near, Sides, collocates, cooccurrence,
};
pub use keyness::{KeyWord, keyness};
pub use matrix::{MatrixQuestion, Table, UnitOf, matrix};
pub use rank::{RankQuestion, rank};
pub use view::{Form, View};
pub use zgram::plumbing::TaskKind as Task;

use crate::Document;
use globset::GlobBuilder;
use regex::Regex;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// By what [`Task::Sort`] sorts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SortBy {
    /// The bytes of the word.
    #[default]
    Word,
    /// The count, the most frequent first; then the bytes.
    Count,
}

/// A task with all its options.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Question {
    /// What is asked.
    #[serde(deserialize_with = "task_named")]
    pub task: Task,
    /// Words in a sequence; at least 2, and without effect on tasks about words.
    #[serde(default = "three")]
    pub n: usize,
    /// Sequences of the whole corpus instead of each document; for [`Task::SequenceCount`].
    #[serde(default)]
    pub corpus: bool,
    /// The order of [`Task::Sort`].
    #[serde(default)]
    pub by: SortBy,
    /// [`Task::Sort`] from the last row to the first.
    #[serde(default)]
    pub reverse: bool,
    /// Only this many rows from the first: of each document, word or sequence in tasks whose rows
    /// name documents, else of all.
    pub top: Option<usize>,
    /// Only documents with one of these names or matching one of these patterns; all when empty.
    /// In a pattern `*` and `?` match `/` too. Whatever their order, the corpus's order stays.
    #[serde(default)]
    pub documents: Vec<String>,
    /// Sequences skip words that the view leaves out, instead of ending there.
    #[serde(default)]
    pub gaps: bool,
    /// Units in place of documents: `folder`, or a pattern whose first group (or else all that it
    /// matches) in a document's name is the unit. Documents that it does not match are left out.
    pub units: Option<String>,
    /// Only words or sequences with at least this many occurrences.
    #[serde(default)]
    pub min_count: u64,
    /// Only those of at least this many documents, or units.
    #[serde(default)]
    pub min_docs: usize,
    /// Only those of at most this many documents, or units.
    pub max_docs: Option<usize>,
    /// What counts as a word, and as the same word.
    #[serde(default)]
    pub view: View,
}

fn task_named<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Task, D::Error> {
    let name = String::deserialize(deserializer)?;
    Task::named(&name).ok_or_else(|| D::Error::custom(format!("no task is named {name}")))
}

fn three() -> usize {
    3
}

impl Question {
    /// The task with no options, and sequences of three.
    #[must_use]
    pub fn new(task: Task) -> Self {
        Self {
            task,
            n: three(),
            corpus: false,
            by: SortBy::default(),
            reverse: false,
            top: None,
            documents: Vec::new(),
            gaps: false,
            units: None,
            min_count: 0,
            min_docs: 0,
            max_docs: None,
            view: View::default(),
        }
    }

    /// What rows name for a document: its unit, or itself; `None` if it is left out.
    fn row_name(&self, name: &[u8]) -> Option<Vec<u8>> {
        match self.units.as_deref() {
            None => Some(name.to_vec()),
            Some("folder") => {
                let folder = name.iter().rposition(|&byte| byte == b'/').map(|end| &name[..end]);
                Some(folder.unwrap_or(b".").to_vec())
            }
            Some(pattern) => {
                let name = String::from_utf8_lossy(name);
                let groups = Regex::new(pattern).expect("a pattern").captures(&name)?;
                let group = groups.get(if groups.len() > 1 { 1 } else { 0 })?;
                Some(group.as_str().into())
            }
        }
    }

    /// Whether the document of this name is asked about.
    #[must_use]
    pub fn chooses(&self, name: &[u8]) -> bool {
        self.documents.is_empty()
            || self.documents.iter().any(|chosen| {
                let glob = GlobBuilder::new(chosen).literal_separator(false).build();
                let glob = glob.expect("a pattern").compile_matcher();
                chosen.as_bytes() == name || glob.is_match(crate::documents::path_of(name))
            })
    }
}

/// One line of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Row {
    /// The word, or the words of a sequence with one space between them.
    pub words: Vec<u8>,
    /// How often it occurs: in the document if there is one, else in all documents asked about.
    pub count: u64,
    /// The name of the document, in tasks whose rows have one.
    pub document: Option<Vec<u8>>,
}

type Sequence = Vec<String>;
type Counts = BTreeMap<Sequence, u64>;

/// The answer to a question about these documents, whose order is the corpus's.
///
/// # Panics
/// When the question is invalid: sequences shorter than two words, a malformed pattern, an
/// unknown language.
#[must_use]
pub fn answer(documents: &[Document], question: &Question) -> Vec<Row> {
    let n = if question.task.has_sequences() { question.n } else { 1 };
    assert!(n > 1 || !question.task.has_sequences(), "a sequence has two words or more");
    let mut rows: Vec<(Vec<u8>, Counts)> = Vec::new();
    for document in documents.iter().filter(|document| question.chooses(&document.name)) {
        let Some(name) = question.row_name(&document.name) else { continue };
        let words = question.view.words(&document.text);
        // scikit-learn leaves words out before it makes sequences.
        let counts = count(words, n, question.gaps || question.view.sklearn);
        match rows.iter_mut().find(|(other, _)| *other == name) {
            Some((_, unit)) => add(unit, &counts),
            None => rows.push((name, counts)),
        }
    }
    let mut documents = rows;
    limit(&mut documents, question);

    let top = question.top.unwrap_or(usize::MAX);
    let mut rows = match question.task {
        Task::WordCount => by_count(total(&documents)),
        Task::Sort => {
            let mut rows = match question.by {
                SortBy::Word => rows_of(total(&documents), None),
                SortBy::Count => by_count(total(&documents)),
            };
            if question.reverse {
                rows.reverse();
            }
            rows
        }
        Task::SequenceCount if question.corpus => by_count(total(&documents)),
        Task::InvertedIndex => return by_sequence(&documents, false, top),
        Task::RankedInvertedIndex => return by_sequence(&documents, true, top),
        Task::SequenceCount | Task::TermVector => return by_document(documents, top),
    };
    rows.truncate(top);
    rows
}

/// Every run of `n` words, counted. A word that is left out, `None`, is skipped or ends a run.
fn count(mut words: Vec<Option<String>>, n: usize, has_gaps: bool) -> Counts {
    if has_gaps {
        words.retain(Option::is_some);
    }
    let mut counts = Counts::new();
    for sequence in words.windows(n) {
        if let Some(sequence) = sequence.iter().cloned().collect::<Option<Sequence>>() {
            *counts.entry(sequence).or_default() += 1;
        }
    }
    counts
}

/// Leaves out what limits do not keep.
fn limit(documents: &mut [(Vec<u8>, Counts)], question: &Question) {
    let mut spread: BTreeMap<Sequence, usize> = BTreeMap::new();
    for sequence in documents.iter().flat_map(|(_, counts)| counts.keys()) {
        *spread.entry(sequence.clone()).or_default() += 1;
    }
    let total = total(documents);
    let is_kept = |sequence: &Sequence| {
        total[sequence] >= question.min_count
            && spread[sequence] >= question.min_docs
            && question.max_docs.is_none_or(|most| spread[sequence] <= most)
    };
    documents.iter_mut().for_each(|(_, counts)| counts.retain(|sequence, _| is_kept(sequence)));
}

/// The counts of all documents together.
fn total(documents: &[(Vec<u8>, Counts)]) -> Counts {
    let mut total = Counts::new();
    documents.iter().for_each(|(_, counts)| add(&mut total, counts));
    total
}

fn add(sum: &mut Counts, counts: &Counts) {
    for (sequence, count) in counts {
        *sum.entry(sequence.clone()).or_default() += count;
    }
}

/// Rows in byte order.
fn rows_of(counts: Counts, document: Option<&[u8]>) -> Vec<Row> {
    let row = |(sequence, count)| row(&sequence, count, document);
    counts.into_iter().map(row).collect()
}

fn row(sequence: &Sequence, count: u64, document: Option<&[u8]>) -> Row {
    let document = document.map(<[u8]>::to_vec);
    Row { words: sequence.join(" ").into_bytes(), count, document }
}

/// Rows by falling count; those of one count stay in byte order.
fn by_count(counts: Counts) -> Vec<Row> {
    let mut rows = rows_of(counts, None);
    rows.sort_by_key(|row| Reverse(row.count));
    rows
}

/// Document after document, the most frequent sequences of each first.
fn by_document(documents: Vec<(Vec<u8>, Counts)>, top: usize) -> Vec<Row> {
    let mut rows = Vec::new();
    for (name, counts) in documents {
        let mut own = rows_of(counts, Some(&name));
        own.sort_by_key(|row| Reverse(row.count));
        own.truncate(top);
        rows.extend(own);
    }
    rows
}

/// Sequence after sequence, the documents of each in order or, when ranked, by falling count.
fn by_sequence(documents: &[(Vec<u8>, Counts)], ranked: bool, top: usize) -> Vec<Row> {
    let mut index: BTreeMap<&Sequence, Vec<Row>> = BTreeMap::new();
    for (name, counts) in documents {
        for (sequence, &count) in counts {
            index.entry(sequence).or_default().push(row(sequence, count, Some(name)));
        }
    }
    if ranked {
        index.values_mut().for_each(|rows| rows.sort_by_key(|row| Reverse(row.count)));
    }
    index.into_values().flat_map(|rows| rows.into_iter().take(top)).collect()
}

#[cfg(test)]
mod tests;
