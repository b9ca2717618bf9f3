//! A query: a question to a corpus, built step by step.

use super::accelerate::{Acceleration, Accelerator};
use super::engine::{Passes, Run, Setting, Writer};
use super::options::{Choice, Options};
use super::report::{Phase, Report};
use super::row_batch::{RowBatch, RowWords, per_million};
use super::select::{self, Decision, Tree};
use super::tasks::Question;
use super::words::{Case, Digits, Language, NormalForm, Pattern, View};
use crate::corpus::Corpus;
use crate::error::QueryError;
use crate::progress::Progress;
use regex::Regex;
use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};

/// A question to a corpus. [`Corpus::word_count`] and its like make one, the methods here refine
/// it, and [`rows`](Self::rows) or [`for_each_batch`](Self::for_each_batch) answer it.
///
/// ```no_run
/// # use zgram::Corpus;
/// # fn main() -> Result<(), zgram::Error> {
/// for row in Corpus::open("books.zgram")?.word_count().lower().top(20).rows()? {
///     println!("{:>8} {}", row.count, row.text());
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Query<'c, Q> {
    pub(super) corpus: &'c Corpus,
    pub(super) question: Q,
    pub(super) options: Options<'c>,
}

/// One row of an answer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row {
    /// The word, or the words of a sequence with a space between them.
    pub words: Vec<u8>,
    /// Number of occurrences.
    pub count: u64,
    /// The number of the document, or of the unit if the query is [by](Query::by) units; `None` for
    /// all documents together.
    pub document: Option<usize>,
    /// The number of documents in which the words occur, if the query asks for
    /// [`document_counts`](Query::document_counts).
    pub documents: Option<u32>,
    total: Option<u64>,
    document_name: Option<Arc<[u8]>>,
}

impl Row {
    /// The words as text; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.words)
    }

    /// The count per million: of all words, or of all sequences, that the query counts. `None` where
    /// rows have a document.
    #[must_use]
    pub fn per_million(&self) -> Option<f64> {
        per_million(self.count, self.total)
    }

    /// The name of the row's document or unit, if it has one; bytes that are not UTF-8 are replaced.
    #[must_use]
    pub fn document_name(&self) -> Option<Cow<'_, str>> {
        self.document_name.as_deref().map(String::from_utf8_lossy)
    }
}

impl<'c, Q> Query<'c, Q> {
    pub(super) fn new(corpus: &'c Corpus, question: Q) -> Self {
        Self { corpus, question, options: Options::default() }
    }

    /// Only these documents, by number.
    #[must_use]
    pub fn documents(mut self, documents: impl IntoIterator<Item = usize>) -> Self {
        self.options.documents = Some(documents.into_iter().collect());
        self
    }

    /// Only documents whose names match a glob pattern such as `letters/*.txt`.
    ///
    /// # Errors
    /// As [`Corpus::documents_matching`]: when no name matches, or it is no pattern.
    pub fn documents_matching(self, pattern: &str) -> Result<Self, QueryError> {
        let documents = self.corpus.select_documents::<QueryError>(pattern)?;
        Ok(self.documents(documents))
    }

    /// Only the first `rows` rows. Where rows have a document: the first per document (term vector,
    /// sequence count), per word (inverted index) or per sequence (ranked inverted index).
    #[must_use]
    pub fn top(mut self, rows: usize) -> Self {
        self.options.top = Some(rows);
        self
    }

    /// Uses this view of words.
    #[must_use]
    pub fn view(mut self, view: View) -> Self {
        self.options.view = view;
        self
    }

    /// Words in lower case.
    #[must_use]
    pub fn lower(mut self) -> Self {
        self.options.view.case = Case::Lower;
        self
    }

    /// Words without regard to case.
    #[must_use]
    pub fn fold(mut self) -> Self {
        self.options.view.case = Case::Fold;
        self
    }

    /// Words in a Unicode normal form.
    #[must_use]
    pub fn normalize(mut self, form: NormalForm) -> Self {
        self.options.view.normalize = Some(form);
        self
    }

    /// Stems instead of words.
    #[must_use]
    pub fn stem(mut self, language: Language) -> Self {
        self.options.view.stem = Some(language);
        self
    }

    /// Without these words.
    #[must_use]
    pub fn stop<W: Into<String>>(mut self, words: impl IntoIterator<Item = W>) -> Self {
        let words = words.into_iter().map(Into::into);
        let all: HashSet<String> =
            self.options.view.stop_words.iter().cloned().chain(words).collect();
        self.options.view.stop_words = Arc::new(all);
        self
    }

    /// Without the stop words of a language. A language without a list (Tamil) makes the query fail.
    #[must_use]
    pub fn stop_words(mut self, language: Language) -> Self {
        self.options.view.stop_language = Some(language);
        self
    }

    /// Only words of at least `characters` characters.
    #[must_use]
    pub fn min_len(mut self, characters: usize) -> Self {
        self.options.view.min_len = characters;
        self
    }

    /// Only words that match `pattern` somewhere.
    #[must_use]
    #[doc(alias = "match")]
    pub fn matching(mut self, pattern: Regex) -> Self {
        self.options.view.matching = Some(pattern);
        self
    }

    /// Without words that match `pattern` somewhere.
    #[must_use]
    #[doc(alias = "no_match")]
    pub fn not_matching(mut self, pattern: Regex) -> Self {
        self.options.view.not_matching = Some(pattern);
        self
    }

    /// Without words that contain a digit.
    #[must_use]
    pub fn no_digits(mut self) -> Self {
        self.options.view.digits = Digits::Drop;
        self
    }

    /// Only words that contain a digit.
    #[must_use]
    pub fn only_digits(mut self) -> Self {
        self.options.view.digits = Digits::Only;
        self
    }

    /// Words exactly as scikit-learn's `CountVectorizer` finds them by default.
    #[must_use]
    pub fn sklearn(mut self) -> Self {
        self.options.view.pattern = Pattern::Sklearn;
        self
    }

    /// Uses this traversal. The answer is the same with any.
    #[must_use]
    pub fn traversal(mut self, choice: Choice) -> Self {
        self.options.traversal = choice;
        self
    }

    /// Lets the selector use this decision tree.
    #[must_use]
    pub fn tree(mut self, tree: Arc<Tree>) -> Self {
        self.options.tree = Some(tree);
        self
    }

    /// Uses this many threads; 0 for one per core.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.options.threads = threads;
        self
    }

    /// Counts with this accelerator. Where it fails, the CPU takes over and the
    /// [report](Report::failures) says why; or, unless `falls_back`, the query fails.
    #[must_use]
    pub fn accelerator(mut self, accelerator: &'c dyn Accelerator, falls_back: bool) -> Self {
        self.options.acceleration = Some(Acceleration { accelerator, falls_back });
        self
    }

    /// Uses about this many bytes for intermediate results.
    #[must_use]
    pub fn memory(mut self, bytes: u64) -> Self {
        self.options.memory = bytes;
        self
    }

    /// Skips damaged segments; the [report](Report::damaged) names them.
    #[must_use]
    pub fn keep_going(mut self, keep_going: bool) -> Self {
        self.options.keep_going = keep_going;
        self
    }

    /// Reports to `progress` and stops when it is cancelled.
    #[must_use]
    pub fn progress(mut self, progress: &'c dyn Progress) -> Self {
        self.options.progress = progress;
        self
    }
}

impl<Q: Clone + Into<Question>> Query<'_, Q> {
    /// What is asked.
    #[must_use]
    pub fn question(&self) -> Question {
        self.question.clone().into()
    }

    /// Which traversal the query would use, and why.
    #[must_use]
    pub fn explain(&self) -> Decision {
        select::decide(self.corpus, &self.question().shape(), &self.options)
    }

    /// The whole answer.
    ///
    /// # Errors
    /// When the query cannot be answered, or the corpus is damaged.
    pub fn rows(&self) -> Result<Vec<Row>, QueryError> {
        let mut rows = Vec::new();
        let encode = |batch: &RowBatch<'_>| -> Vec<Row> {
            let row = |row: super::BatchRow<'_>| Row {
                words: row.text(),
                count: row.count,
                document: row.document.map(|document| document as usize),
                documents: row.documents,
                total: row.total(),
                document_name: None,
            };
            batch.rows().map(row).collect()
        };
        self.for_each_batch(encode, |batch| {
            rows.extend(batch);
            Ok(())
        })?;
        self.name_documents(&mut rows)?;
        Ok(rows)
    }

    /// Gives rows the names of their documents. Rows of one document share one copy.
    fn name_documents(&self, rows: &mut [Row]) -> Result<(), QueryError> {
        if rows.iter().all(|row| row.document.is_none()) {
            return Ok(());
        }
        let row_names = self.row_names()?;
        let mut names: HashMap<usize, Arc<[u8]>> = HashMap::new();
        for row in rows {
            let Some(document) = row.document else { continue };
            let name = match names.entry(document) {
                Entry::Occupied(known) => known.into_mut(),
                Entry::Vacant(new) => {
                    let name = row_names.get(document);
                    new.insert(name.unwrap_or_default().into())
                }
            };
            row.document_name = Some(Arc::clone(name));
        }
        Ok(())
    }

    /// Streams the answer: `encode` turns batches of rows into any type, on several threads;
    /// `consume` takes the results in the order of the answer.
    ///
    /// # Errors
    /// When the query cannot be answered, the corpus is damaged, or `consume` fails.
    pub fn for_each_batch<O, E, C>(&self, encode: E, consume: C) -> Result<Report, QueryError>
    where
        O: Send,
        E: Fn(&RowBatch<'_>) -> O + Sync,
        C: FnMut(O) -> Result<(), QueryError> + Send,
    {
        let question = self.question();
        question.check()?;
        self.options.limits.check()?;
        let decision = self.explain();
        let shape = question.shape();
        let mut setting = Setting::of_shape(self.corpus, self.options.clone(), &decision, &shape)?;
        let before = question.keep_words(&mut setting)?;
        let consume = Mutex::new(consume);
        let Passes(passes) = {
            let writer = Writer {
                words: RowWords::new(&setting.plan.words),
                words_a_row: question.words_a_row(),
                encode: &encode,
                meter: &setting.ledger.meter,
            };
            let mut timed = |encoded: O| {
                setting
                    .ledger
                    .meter
                    .time(Phase::Write, || (consume.lock().expect("no holder panics"))(encoded))
            };
            question.answer(&mut Run { setting: &setting, writer: &writer, consume: &mut timed })?
        };
        Ok(setting.into_report(Passes(before + passes)))
    }
}
