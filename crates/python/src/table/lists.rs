//! Words with lists of documents as record batches.

use super::question::Refined;
use super::rows::{names, refused};
use super::source::{Failure, Sink, schema};
use super::strings::{Shared, Strings};
use arrow_array::{ArrayRef, ListArray, RecordBatch};
use arrow_buffer::OffsetBuffer;
use arrow_schema::{ArrowError, DataType, SchemaRef};
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;
use zgram::analytics::{DocumentLists, Query, Report};
use zgram::progress::Interrupted;

/// Documents in a batch, unless a word has more.
const BATCH_DOCUMENTS: usize = 1 << 16;

/// Answers a query with batches.
pub(super) fn answer(
    query: &Query<'_, DocumentLists>,
    asked: &Refined,
    strings: Strings,
    sink: &mut Sink<'_>,
) -> Result<Report, Failure> {
    let mut batches = Batches {
        schema: schema(&asked.columns(), strings),
        strings,
        names: names(&query.row_names()?, strings).map_err(refused)?,
        words: Vec::new(),
        documents: Vec::new(),
        lens: Vec::new(),
    };
    let mut failed = None;
    let mut send = |made: Result<RecordBatch, ArrowError>| match made.map(&mut *sink) {
        Ok(flow) => flow,
        Err(error) => {
            failed = Some(refused(error));
            ControlFlow::Break(())
        }
    };
    let answered = query.for_each(|word, documents| {
        batches.push(word, documents);
        if batches.documents.len() >= BATCH_DOCUMENTS && send(batches.take()).is_break() {
            return Err(Interrupted.into());
        }
        Ok(())
    });
    if answered.is_ok() && !batches.words.is_empty() {
        let _ = send(batches.take());
    }
    match failed {
        Some(failure) => Err(failure),
        None => Ok(answered?),
    }
}

/// Rows on their way into a batch.
struct Batches {
    schema: SchemaRef,
    strings: Strings,
    names: Shared,
    words: Vec<String>,
    documents: Vec<u32>,
    /// Documents of each row.
    lens: Vec<usize>,
}

impl Batches {
    fn push(&mut self, word: &[u8], documents: &[u32]) {
        self.words.push(String::from_utf8_lossy(word).into_owned());
        self.documents.extend_from_slice(documents);
        self.lens.push(documents.len());
    }

    fn take(&mut self) -> Result<RecordBatch, ArrowError> {
        let words = self.strings.column(self.words.drain(..).map(Cow::Owned))?;
        let documents = self.names.column(self.documents.drain(..))?;
        let DataType::List(item) = self.schema.field(1).data_type() else {
            unreachable!("the second column has lists")
        };
        let offsets = OffsetBuffer::from_lengths(self.lens.drain(..));
        let lists: ArrayRef = Arc::new(ListArray::try_new(item.clone(), offsets, documents, None)?);
        RecordBatch::try_new(self.schema.clone(), vec![words, lists])
    }
}
