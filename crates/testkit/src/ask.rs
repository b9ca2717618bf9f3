//! Puts the oracle's questions to the library.

use crate::oracle::{self, Task};
use crate::{Document, Feed, compress, options};
use std::fmt;
use std::sync::Arc;
use zgram::Corpus;
use zgram::analytics::{
    Case, Choice, Digits, DocumentLimit, NormalForm, Query, Question, Row, SortBy, Units, View,
};
use zgram::error::QueryError;
use zgram::format::{GrammarKind, Layer, Level};
use zgram::plumbing::Accelerator;
use zgram::storage::Memory;

/// The file of some documents, in segments of about `segment_size` bytes.
///
/// # Panics
/// When it cannot be made.
#[must_use]
pub fn file(documents: &[Document], grammar: GrammarKind, segment_size: u64) -> Vec<u8> {
    let mut options = options(Level::Default, grammar, Layer::Zstd);
    options.segment_size = segment_size;
    compress(documents, Feed::Tar, &options).expect("the documents are valid")
}

/// The corpus of some documents, in segments of about `segment_size` bytes.
///
/// # Panics
/// When it cannot be made.
#[must_use]
pub fn corpus(documents: &[Document], grammar: GrammarKind, segment_size: u64) -> Corpus {
    let bytes: Arc<[u8]> = file(documents, grammar, segment_size).into();
    Corpus::from_storage("test", Memory(bytes)).expect("it was just made")
}

/// The library's words for the oracle's view.
///
/// # Panics
/// When a pattern is malformed or a language unknown.
#[must_use]
pub fn view(asked: &oracle::View) -> View {
    let regex = |pattern: &Option<String>| pattern.as_deref().map(|p| p.parse().expect("a regex"));
    let language = |name: &Option<String>| name.as_deref().map(|n| n.parse().expect("a language"));
    View {
        pattern: match asked.sklearn {
            true => zgram::analytics::Pattern::Sklearn,
            false => zgram::analytics::Pattern::Words,
        },
        normalize: asked.normalize.map(|form| match form {
            oracle::Form::Nfc => NormalForm::Nfc,
            oracle::Form::Nfd => NormalForm::Nfd,
            oracle::Form::Nfkc => NormalForm::Nfkc,
            oracle::Form::Nfkd => NormalForm::Nfkd,
        }),
        case: match (asked.lower, asked.fold) {
            (_, true) => Case::Fold,
            (true, false) => Case::Lower,
            (false, false) => Case::Keep,
        },
        min_len: asked.min_len,
        digits: if asked.no_digits { Digits::Drop } else { Digits::Keep },
        matching: regex(&asked.matching),
        not_matching: regex(&asked.no_match),
        stop_words: Arc::new(asked.stop.iter().cloned().collect()),
        stop_language: language(&asked.stop_language),
        stem: language(&asked.stem),
    }
}

/// How a question is answered, which must not change the answer.
#[derive(Clone, Copy)]
pub struct Way<'a> {
    /// The traversal.
    pub choice: Choice,
    /// Threads.
    pub threads: usize,
    /// Bytes for intermediate results.
    pub memory: u64,
    /// Counts instead of the traversal; it must not fail.
    pub accelerator: Option<&'a dyn Accelerator>,
}

impl fmt::Debug for Way<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { choice, threads, memory, accelerator } = self;
        let who = if accelerator.is_some() { " on an accelerator" } else { "" };
        write!(f, "{choice:?}, {threads} threads, {memory} bytes{who}")
    }
}

/// Counts the units that the question asks for, in a query whose method `by` takes units.
macro_rules! by {
    ($query:expr, $question:expr) => {
        match $question.units.as_deref() {
            None => $query,
            Some("folder") => $query.by(Units::Folder),
            Some(pattern) => $query.by(Units::Pattern(pattern.parse().expect("a pattern"))),
        }
    };
}

/// Sets the options of a query as in the question, and runs it.
fn answer<'a, Q: Clone + Into<Question>>(
    query: Query<'a, Q>,
    names: &[&[u8]],
    question: &oracle::Question,
    way: Way<'a>,
) -> Vec<oracle::Row> {
    let mut query = query
        .view(view(&question.view))
        .traversal(way.choice)
        .threads(way.threads)
        .memory(way.memory);
    if let Some(accelerator) = way.accelerator {
        query = query.accelerator(accelerator, false);
    }
    query = query.min_count(question.min_count);
    if question.min_docs > 0 {
        query = query.min_docs(DocumentLimit::Count(question.min_docs as u64));
    }
    if let Some(most) = question.max_docs {
        query = query.max_docs(DocumentLimit::Count(most as u64));
    }
    if let Some(top) = question.top {
        query = query.top(top);
    }
    if !question.documents.is_empty() {
        let chosen = (0..names.len()).filter(|&number| question.chooses(names[number]));
        query = query.documents(chosen);
    }
    let row_names = match query.row_names() {
        Err(QueryError::NoUnit { .. }) => return Vec::new(),
        names => names.expect("names"),
    };
    let row = |row: Row| oracle::Row {
        words: row.words,
        count: row.count,
        document: row.document.map(|document| row_names.get(document).expect("a name").to_vec()),
    };
    query.rows().expect("an answer").into_iter().map(row).collect()
}

/// The library's answer, in the oracle's words.
///
/// # Panics
/// When the library returns an error.
#[must_use]
pub fn ask<'a>(corpus: &'a Corpus, question: &oracle::Question, way: Way<'a>) -> Vec<oracle::Row> {
    let table = corpus.documents().expect("a table");
    let names: Vec<&[u8]> = table.iter().map(|(name, _)| name).collect();
    let names = &names[..];
    match question.task {
        Task::WordCount => answer(corpus.word_count(), names, question, way),
        Task::Sort => {
            let by = match question.by {
                oracle::SortBy::Word => SortBy::Word,
                oracle::SortBy::Count => SortBy::Count,
            };
            let sort = corpus.sort().by(by).reverse(question.reverse);
            answer(sort, names, question, way)
        }
        Task::InvertedIndex => answer(by!(corpus.inverted_index(), question), names, question, way),
        Task::TermVector => answer(by!(corpus.term_vector(), question), names, question, way),
        Task::SequenceCount => {
            let sequences = corpus.sequence_count().words(question.n);
            let sequences = if question.corpus { sequences.of_corpus() } else { sequences };
            let sequences = if question.gaps { sequences.gaps() } else { sequences };
            answer(by!(sequences, question), names, question, way)
        }
        Task::RankedInvertedIndex => {
            let sequences = corpus.ranked_inverted_index().words(question.n);
            let sequences = if question.gaps { sequences.gaps() } else { sequences };
            answer(by!(sequences, question), names, question, way)
        }
    }
}
