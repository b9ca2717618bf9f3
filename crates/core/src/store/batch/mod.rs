//! Many operations at once (random-access section IV-D, *mixed operations*).
//!
//! A batch is checked as a whole. Its edits become one record of the journal with one flush, and then
//! it runs. Every read sees exactly the edits before it in the batch. Operations on one document run in
//! order, and operations on different documents run in parallel. An operation on all documents waits for
//! those before it.
//!
//! Offsets of edits have one of the paper's two meanings. *In sequence*, an offset counts in the text
//! after the edits before it. *In batch*, it counts in the text before the batch: a snapshot (`moved`)
//! then records insertions and deletions per document, and maps an old offset to the current one.
//! Offsets of reads always count in the text at their turn.

mod lanes;
mod moved;
mod plan;
mod room;

pub(in crate::store) use lanes::apply;

use crate::access::{Match, Phrase};
use crate::corpus::Corpus;
use crate::error::{EditError, TransactionError};
use crate::store::Store;
use crate::store::edit::Edit;
use lanes::Given;
use std::sync::Arc;

/// The text in which the offsets of a batch's edits count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OffsetBase {
    /// The text after the edits before this one.
    #[default]
    InSequence,
    /// The text before the batch. Documents added in the batch are edited in sequence.
    InBatch,
}

/// One operation of a batch. Documents are given by the names they have at that point.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "fields are named as the arguments of the methods of `Store`")]
pub enum Operation {
    /// As [`Store::extract`].
    Extract { document: Vec<u8>, offset: u64, len: usize },
    /// As [`Store::lines`].
    Lines { document: Vec<u8>, from: u64, to: u64 },
    /// As [`Store::search`], or [`Store::search_all`] without a document.
    Search { document: Option<Vec<u8>>, phrase: Phrase },
    /// As [`Store::count`], or [`Store::count_all`] without a document.
    Count { document: Option<Vec<u8>>, phrase: Phrase },
    /// As [`Edit::Insert`].
    Insert { document: Vec<u8>, offset: u64, bytes: Vec<u8> },
    /// As [`Edit::Append`].
    Append { document: Vec<u8>, bytes: Vec<u8> },
    /// As [`Edit::Delete`].
    Delete { document: Vec<u8>, offset: u64, len: u64 },
    /// As [`Edit::Replace`].
    Replace { document: Vec<u8>, offset: u64, len: u64, bytes: Vec<u8> },
    /// As [`Edit::Add`].
    Add { name: Vec<u8>, bytes: Vec<u8> },
    /// As [`Edit::Remove`].
    Remove { document: Vec<u8> },
    /// As [`Edit::Rename`].
    Rename { document: Vec<u8>, name: Vec<u8> },
}

/// The result of an operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Bytes of a document.
    Bytes(Vec<u8>),
    /// The matches of a phrase: documents by name, in order.
    Matches(Vec<(Vec<u8>, Vec<Match>)>),
    /// How often a phrase occurs.
    Count(u64),
    /// The edit was applied.
    Done,
}

/// Operations that run at once: a batch.
#[derive(Clone, Debug, Default)]
pub struct Transaction {
    /// The operations, in order.
    pub operations: Vec<Operation>,
    /// The text in which offsets of edits count.
    pub offsets: OffsetBase,
    /// Skips operations that cannot be done. Without this, one of them refuses the whole batch.
    pub keep_going: bool,
}

/// Answers the reads of a batch in place of the store, for example on a GPU.
///
/// The store checks all operations before, and applies the edits after. So refusals and the journal do
/// not depend on the reader.
pub trait TransactionReader {
    /// Returns an answer for each operation that is a read and that this reader can answer; the store
    /// runs the others. `corpus` is the corpus before the batch, pending edits included. A read sees the
    /// edits before it in the batch.
    ///
    /// # Errors
    /// When the batch must not run without these answers. Then nothing of it is done.
    fn read(
        &self,
        corpus: Arc<Corpus>,
        batch: &Transaction,
    ) -> Result<Vec<Option<Answer>>, TransactionError>;
}

impl Store {
    /// Runs a batch and returns the results in the order of its operations. A result is an error only
    /// with [`Transaction::keep_going`], when a section turns out to be damaged, or when all searches
    /// together have more than 16,777,216 matches.
    ///
    /// # Errors
    /// When an operation cannot be done, the disk fails, or there are edits and the store was opened
    /// for reading.
    pub fn run(
        &self,
        batch: &Transaction,
    ) -> Result<Vec<Result<Answer, EditError>>, TransactionError> {
        self.run_by(batch, None)
    }

    /// Runs a batch as [`run`](Self::run) does; `reader` may answer its reads.
    ///
    /// # Errors
    /// As [`run`](Self::run), or when the reader refuses the batch.
    pub fn run_with(
        &self,
        batch: &Transaction,
        reader: &dyn TransactionReader,
    ) -> Result<Vec<Result<Answer, EditError>>, TransactionError> {
        self.run_by(batch, Some(reader))
    }

    fn run_by(
        &self,
        batch: &Transaction,
        reader: Option<&dyn TransactionReader>,
    ) -> Result<Vec<Result<Answer, EditError>>, TransactionError> {
        let first = |source| TransactionError { operation: 0, source };
        let mut writer = match batch.operations.iter().any(Operation::is_edit) {
            true => Some(self.writer().map_err(first)?),
            false => None,
        };
        let mut answers: Vec<Given> = Vec::new();
        answers.resize_with(batch.operations.len(), || None);
        let mut steps = plan::steps(&self.read(), batch, &mut answers)?;
        if let Some(reader) = reader {
            // Before anything is written: the reader may still refuse.
            let given =
                reader.read(self.snapshot().map_err(|error| first(error.into()))?, batch)?;
            for ((operation, answer), given) in batch.operations.iter().zip(&mut answers).zip(given)
            {
                if answer.is_none() && !operation.is_edit() {
                    *answer = given.map(Ok);
                }
            }
            steps.retain(|step| answers[step.operation].is_none());
        }
        if let Some(writer) = &mut writer {
            let edits: Vec<Edit<&[u8]>> = steps.iter().filter_map(|step| step.edit).collect();
            self.log(writer, &edits).map_err(first)?;
            let mut words = self.new_words();
            lanes::run(&mut self.write(), batch, &steps, &mut answers, &mut words);
            if !edits.is_empty() {
                self.note(writer, &words);
            }
            self.bell.ring();
        } else {
            lanes::read(&self.read(), batch, &steps, &mut answers);
        }
        Ok(answers.into_iter().flatten().collect())
    }
}

impl Operation {
    /// Whether it is an edit.
    #[must_use]
    pub fn is_edit(&self) -> bool {
        !matches!(
            self,
            Self::Extract { .. } | Self::Lines { .. } | Self::Search { .. } | Self::Count { .. }
        )
    }

    /// The name of its document; `None` for all documents or a new one.
    #[must_use]
    pub fn document(&self) -> Option<&[u8]> {
        match self {
            Self::Extract { document, .. }
            | Self::Lines { document, .. }
            | Self::Insert { document, .. }
            | Self::Append { document, .. }
            | Self::Delete { document, .. }
            | Self::Replace { document, .. }
            | Self::Remove { document }
            | Self::Rename { document, .. } => Some(document),
            Self::Search { document, .. } | Self::Count { document, .. } => document.as_deref(),
            Self::Add { .. } => None,
        }
    }

    /// The edit of a document with this number; `None` for a read.
    fn to_edit(&self, document: usize) -> Option<Edit<&[u8]>> {
        Some(match self {
            Self::Insert { offset, bytes, .. } => Edit::Insert { document, offset: *offset, bytes },
            Self::Append { bytes, .. } => Edit::Append { document, bytes },
            Self::Delete { offset, len, .. } => {
                Edit::Delete { document, offset: *offset, len: *len }
            }
            Self::Replace { offset, len, bytes, .. } => {
                Edit::Replace { document, offset: *offset, len: *len, bytes }
            }
            Self::Add { name, bytes } => Edit::Add { name, bytes },
            Self::Remove { .. } => Edit::Remove { document },
            Self::Rename { name, .. } => Edit::Rename { document, name },
            _ => return None,
        })
    }
}
