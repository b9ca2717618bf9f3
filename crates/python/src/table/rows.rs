//! Rows of the library as record batches.
//!
//! The library calls [`Batches::record_batch`] on the threads that have counted the rows, so batches are
//! made in parallel; the sink takes them in order.

use super::question::{Number, Refined};
use super::source::{Failure, Sink, schema};
use super::strings::{Shared, Strings, unicode};
use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{ArrowError, SchemaRef};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use zgram::analytics::{Query, Question, Report, RowBatch, RowNames};
use zgram::progress::Interrupted;

/// A batch with fewer rows than this share of all words gets an array of its own words: to gather all
/// words would take longer than to make the batch.
const FEW: usize = 8;

/// Answers a query with batches.
pub(super) fn answer<Q: Clone + Into<Question>>(
    query: &Query<'_, Q>,
    asked: &Refined,
    strings: Strings,
    sink: &mut Sink<'_>,
) -> Result<Report, Failure> {
    let names = asked.has_documents().then(|| query.row_names()).transpose()?;
    let batches = Batches::new(asked, strings, names.as_ref()).map_err(refused)?;
    let mut failed = None;
    let answered = query.for_each_batch(
        |batch| batches.record_batch(batch),
        |made| match made.map(&mut *sink) {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(())) => Err(Interrupted.into()),
            Err(error) => {
                failed = Some(refused(error));
                Err(Interrupted.into())
            }
        },
    );
    match failed {
        Some(failure) => Err(failure),
        None => Ok(answered?),
    }
}

pub(super) fn refused(error: ArrowError) -> Failure {
    match error {
        ArrowError::InvalidArgumentError(message) => Failure::Message(message),
        other => Failure::Message(other.to_string()),
    }
}

/// A name as it is in a column.
pub(super) fn names(names: &RowNames<'_>, strings: Strings) -> Result<Shared, ArrowError> {
    let names: Vec<Cow<'_, str>> = names.iter().map(unicode).collect();
    Shared::new(strings, names.into_iter())
}

/// Makes batches of rows.
struct Batches<'a> {
    schema: SchemaRef,
    asked: &'a Refined,
    strings: Strings,
    /// All words, made when the first batch needs them; `None` if they are too long for one array.
    words: OnceLock<Option<Shared>>,
    names: Option<Shared>,
}

impl<'a> Batches<'a> {
    fn new(
        asked: &'a Refined,
        strings: Strings,
        row_names: Option<&RowNames<'_>>,
    ) -> Result<Self, ArrowError> {
        let names = row_names.map(|row_names| names(row_names, strings)).transpose()?;
        let schema = schema(&asked.columns(), strings);
        Ok(Self { schema, asked, strings, words: OnceLock::new(), names })
    }

    fn record_batch(&self, batch: &RowBatch<'_>) -> Result<RecordBatch, ArrowError> {
        let mut columns: Vec<ArrayRef> = vec![self.words(batch)?];
        for number in &self.asked.numbers {
            columns.push(match number {
                Number::Count => {
                    let counts = batch.rows().map(|row| i64::try_from(row.count));
                    let counts: Vec<i64> = counts.collect::<Result<_, _>>().map_err(|_| {
                        let message = "a count is too large for 64 bits with a sign";
                        ArrowError::InvalidArgumentError(message.to_owned())
                    })?;
                    Arc::new(Int64Array::from(counts))
                }
                Number::Documents => {
                    let counts = batch.rows().map(|row| row.documents.map(i64::from));
                    Arc::new(counts.collect::<Int64Array>())
                }
                Number::PerMillion => {
                    let shares = batch.rows().map(|row| row.per_million());
                    Arc::new(shares.collect::<Float64Array>())
                }
            });
        }
        if let Some(names) = &self.names {
            columns.push(names.column(batch.rows().filter_map(|row| row.document))?);
        }
        RecordBatch::try_new(self.schema.clone(), columns)
    }

    fn words(&self, batch: &RowBatch<'_>) -> Result<ArrayRef, ArrowError> {
        let word = |bytes: &'_ [u8]| String::from_utf8_lossy(bytes).into_owned();
        if self.asked.words_a_row() > 1 {
            let texts: Vec<Vec<u8>> = batch.rows().map(|row| row.text()).collect();
            let texts = texts.iter().map(|text| String::from_utf8_lossy(text));
            return self.strings.of_text().column(texts);
        }
        let is_small = batch.len() * FEW < batch.vocabulary().len();
        if !is_small || self.words.get().is_some() {
            let all = self.words.get_or_init(|| {
                Shared::new(self.strings, batch.vocabulary().map(String::from_utf8_lossy)).ok()
            });
            if let Some(all) = all {
                return all.column(batch.word_places().iter().copied());
            }
        }
        let texts: Vec<Cow<'_, str>> = batch
            .rows()
            .map(|row| Cow::Owned(word(row.words().next().unwrap_or_default())))
            .collect();
        self.strings.column(texts.into_iter())
    }
}
