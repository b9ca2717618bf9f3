//! The six tasks, as Python asks for them.

use super::source::{Column, Failure, Kind, Sink, Source, Work};
use super::strings::Strings;
use super::{Table, lists, rows};
use crate::corpus::{Corpus, Open};
use crate::errors::named;
use crate::matrix::Limit;
use crate::options::{choice, pattern, view};
use crate::work::Meter;
use pyo3::prelude::*;
use std::sync::Arc;
use zgram::analytics::{
    Collation, DocumentLimit, OfDocuments, Query, Question, Report, SortBy, Units, View,
};
use zgram::error::QueryError;
use zgram::progress::Progress;

/// What is asked, as Python says it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Asked<'py> {
    task: String,
    view: Option<Bound<'py, PyAny>>,
    documents: Option<Vec<usize>>,
    top: Option<usize>,
    min_count: u64,
    min_docs: Option<Limit>,
    max_docs: Option<Limit>,
    /// Units in place of documents.
    units: Option<String>,
    columns: Vec<String>,
    sort_by: String,
    collation: String,
    reverse: bool,
    documents_only: bool,
    n: usize,
    gaps: bool,
    per_document: bool,
    threads: usize,
    memory: Option<u64>,
    keep_going: bool,
    dictionary: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Task {
    WordCount,
    Sort { by: SortBy, collation: Collation, reverse: bool },
    InvertedIndex,
    DocumentLists,
    TermVector,
    SequenceCount { n: usize, gaps: bool, per_document: bool },
    RankedInvertedIndex { n: usize, gaps: bool },
}

/// A number of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    Count,
    Documents,
    PerMillion,
}

/// A question to a corpus.
struct Rows {
    corpus: Py<Corpus>,
    asked: Arc<Refined>,
}

/// A task and what refines it.
pub(super) struct Refined {
    task: Task,
    view: View,
    documents: Option<Vec<usize>>,
    top: Option<usize>,
    min_count: u64,
    min_docs: Option<DocumentLimit>,
    max_docs: Option<DocumentLimit>,
    units: Option<Units>,
    pub(super) numbers: Vec<Number>,
    threads: usize,
    memory: Option<u64>,
    keep_going: bool,
}

/// A table of one of the six tasks.
#[pyfunction]
pub(crate) fn rows_table(corpus: Py<Corpus>, asked: Asked<'_>) -> PyResult<Table> {
    let strings = if asked.dictionary { Strings::Dictionary } else { Strings::Plain };
    let asked = Arc::new(Refined::new(asked)?);
    Ok(Table::new(Rows { corpus, asked }, strings))
}

impl Refined {
    fn new(asked: Asked<'_>) -> PyResult<Self> {
        let numbers = [
            ("count", Number::Count),
            ("documents", Number::Documents),
            ("per_million", Number::PerMillion),
        ];
        let numbers: Vec<Number> = asked
            .columns
            .iter()
            .map(|name| choice("a column", name, &numbers))
            .collect::<PyResult<_>>()?;
        if (1..numbers.len()).any(|at| numbers[..at].contains(&numbers[at])) {
            return Err(named("InvalidRequest", "a column is asked for twice".to_owned()));
        }
        let units = match asked.units.as_deref() {
            None => None,
            Some("folder") => Some(Units::Folder),
            Some(text) => Some(Units::Pattern(pattern(text)?)),
        };
        Ok(Self {
            task: task(&asked)?,
            view: view(asked.view.as_ref())?,
            documents: asked.documents,
            top: asked.top,
            min_count: asked.min_count,
            min_docs: asked.min_docs.map(Into::into),
            max_docs: asked.max_docs.map(Into::into),
            units,
            numbers,
            threads: asked.threads,
            memory: asked.memory,
            keep_going: asked.keep_going,
        })
    }

    /// Words in a row.
    pub(super) fn words_a_row(&self) -> usize {
        match self.task {
            Task::SequenceCount { n, .. } | Task::RankedInvertedIndex { n, .. } => n,
            _ => 1,
        }
    }

    /// Whether rows name documents.
    pub(super) fn has_documents(&self) -> bool {
        match self.task {
            Task::WordCount | Task::Sort { .. } => false,
            Task::SequenceCount { per_document, .. } => per_document,
            _ => true,
        }
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        let mut columns = vec![match self.words_a_row() {
            1 => Column::new("word", Kind::Name),
            _ => Column::new("sequence", Kind::Text),
        }];
        if self.task == Task::DocumentLists {
            columns.push(Column::new("documents", Kind::Names));
            return columns;
        }
        columns.extend(self.numbers.iter().map(|number| match number {
            Number::Count => Column::new("count", Kind::Count),
            Number::Documents => Column::new("documents", Kind::Count),
            Number::PerMillion => Column::new("per_million", Kind::Score),
        }));
        if self.has_documents() {
            columns.push(Column::new("document", Kind::Name));
        }
        columns
    }

    /// Answers the question with the batches that `sink` takes.
    fn answer(
        &self,
        corpus: &zgram::Corpus,
        meter: &Meter,
        strings: Strings,
        sink: &mut Sink<'_>,
    ) -> Result<Report, Failure> {
        match self.task {
            Task::WordCount => {
                rows::answer(&self.refine(corpus.word_count(), meter), self, strings, sink)
            }
            Task::Sort { by, collation, reverse } => {
                let query = corpus.sort().by(by).collation(collation).reverse(reverse);
                rows::answer(&self.refine(query, meter), self, strings, sink)
            }
            Task::InvertedIndex => {
                let query = self.refine(self.by(corpus.inverted_index()), meter);
                rows::answer(&query, self, strings, sink)
            }
            Task::DocumentLists => {
                let query = self.refine(self.by(corpus.inverted_index()), meter);
                lists::answer(&query.documents_only(), self, strings, sink)
            }
            Task::TermVector => {
                let query = self.refine(self.by(corpus.term_vector()), meter);
                rows::answer(&query, self, strings, sink)
            }
            Task::SequenceCount { n, gaps, per_document } => {
                let query = corpus.sequence_count().words(n);
                let query = if gaps { query.gaps() } else { query };
                let query = if per_document { self.by(query) } else { query.of_corpus() };
                rows::answer(&self.refine(query, meter), self, strings, sink)
            }
            Task::RankedInvertedIndex { n, gaps } => {
                let query = corpus.ranked_inverted_index().words(n);
                let query = if gaps { query.gaps() } else { query };
                rows::answer(&self.refine(self.by(query), meter), self, strings, sink)
            }
        }
    }

    fn by<'c, Q: OfDocuments>(&self, query: Query<'c, Q>) -> Query<'c, Q> {
        match &self.units {
            Some(units) => query.by(units.clone()),
            None => query,
        }
    }

    fn refine<'c, Q: Clone + Into<Question>>(
        &self,
        query: Query<'c, Q>,
        meter: &'c dyn Progress,
    ) -> Query<'c, Q> {
        let mut query = query
            .view(self.view.clone())
            .threads(self.threads)
            .keep_going(self.keep_going)
            .min_count(self.min_count)
            .progress(meter);
        if let Some(documents) = &self.documents {
            query = query.documents(documents.iter().copied());
        }
        if let Some(top) = self.top {
            query = query.top(top);
        }
        if let Some(limit) = self.min_docs {
            query = query.min_docs(limit);
        }
        if let Some(limit) = self.max_docs {
            query = query.max_docs(limit);
        }
        if let Some(memory) = self.memory {
            query = query.memory(memory);
        }
        if self.numbers.contains(&Number::Documents) {
            query = query.document_counts();
        }
        query
    }
}

fn task(asked: &Asked<'_>) -> PyResult<Task> {
    let (n, gaps) = (asked.n, asked.gaps);
    if n < 2 {
        let error: zgram::Error = QueryError::SequenceTooShort { n }.into();
        return Err(crate::errors::exception(error));
    }
    Ok(match asked.task.as_str() {
        "word_count" => Task::WordCount,
        "sort" => {
            let by = [("word", SortBy::Word), ("count", SortBy::Count)];
            let by = choice("by", &asked.sort_by, &by)?;
            let ways = [("bytes", Collation::Bytes), ("unicode", Collation::Unicode)];
            let collation = choice("collation", &asked.collation, &ways)?;
            Task::Sort { by, collation, reverse: asked.reverse }
        }
        "inverted_index" if asked.documents_only => Task::DocumentLists,
        "inverted_index" => Task::InvertedIndex,
        "term_vector" => Task::TermVector,
        "sequence_count" => Task::SequenceCount { n, gaps, per_document: asked.per_document },
        "ranked_inverted_index" => Task::RankedInvertedIndex { n, gaps },
        other => return Err(named("InvalidRequest", format!("there is no task {other:?}"))),
    })
}

impl Source for Rows {
    fn columns(&self) -> Vec<Column> {
        self.asked.columns()
    }

    fn state(&self) -> PyResult<Option<Arc<Open>>> {
        self.corpus.get().open().map(Some)
    }

    fn begin(&self) -> PyResult<(Option<Arc<Open>>, Work)> {
        let (open, asked) = (self.corpus.get().open()?, Arc::clone(&self.asked));
        let of_work = Arc::clone(&open);
        let work: Work = Box::new(move |meter, strings, sink| {
            let corpus = of_work.store.snapshot()?;
            let report = asked.answer(&corpus, meter, strings, sink)?;
            for error in &report.damaged {
                meter.notice(&format!("a damaged segment is left out: {error}"));
            }
            Ok(())
        });
        Ok((Some(open), work))
    }
}
