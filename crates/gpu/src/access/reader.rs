//! Reads a store's batches on a GPU: see [`TransactionReader`].

use super::{AccessError, AccessStats, RandomAccess};
use crate::backend::Backend;
use crate::error::GpuError;
use std::sync::{Arc, Mutex};
use zgram::Corpus;
use zgram::error::{AccessError as ReadError, EditError, TransactionError};
use zgram::plumbing::TransactionReader;
use zgram::store::{Answer, Transaction};

/// A device that answers the reads of a store's batches.
pub struct GpuReader<B> {
    backend: B,
    /// Whether the store answers what the device cannot.
    falls_back: bool,
    report: Mutex<ReaderReport>,
}

/// Statistics of the batches so far.
#[derive(Clone, Debug, Default)]
pub struct ReaderReport {
    /// Reads that the device has answered.
    pub answered: u64,
    /// Reads that the store has answered instead.
    pub left: u64,
    /// Why the device failed, once for each time that the store answered instead.
    pub failures: Vec<String>,
    /// The device's work.
    pub access: AccessStats,
}

impl<B: Backend> GpuReader<B> {
    /// If `falls_back`, the store answers what the device cannot; otherwise the batch is refused.
    pub fn new(backend: B, falls_back: bool) -> Self {
        Self { backend, falls_back, report: Mutex::default() }
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// Statistics of the batches so far.
    pub fn report(&self) -> ReaderReport {
        self.report.lock().expect("no holder panics").clone()
    }
}

impl<B: Backend> TransactionReader for GpuReader<B> {
    fn read(
        &self,
        corpus: Arc<Corpus>,
        batch: &Transaction,
    ) -> Result<Vec<Option<Answer>>, TransactionError> {
        let reads = batch.operations.iter().filter(|operation| !operation.is_edit()).count() as u64;
        let mut report = self.report.lock().expect("no holder panics");
        if reads == 0 {
            return Ok(Vec::new());
        }
        let access = RandomAccess::new(&self.backend, corpus);
        let (answers, left) = match access.run(batch) {
            Ok(run) => run,
            Err(AccessError::Batch(error)) => return Err(error),
            Err(error) if self.falls_back => {
                report.left += reads;
                report.failures.push(error.to_string());
                return Ok(Vec::new());
            }
            Err(error) => return Err(refused(0, error)),
        };
        let is_read = |place: usize| !batch.operations[place].is_edit();
        let mut left = left.into_iter().filter(|&(place, _)| is_read(place));
        if !self.falls_back
            && let Some((place, what)) = left.next()
        {
            return Err(refused(place, GpuError::Unsupported { what }.into()));
        }
        let left = left.count() as u64;
        report.left += left;
        report.answered += reads - left;
        report.access += access.stats();
        Ok(answers.into_iter().map(|answer| answer.and_then(Result::ok)).collect())
    }
}

fn refused(operation: usize, error: AccessError) -> TransactionError {
    let source = match error {
        AccessError::Corpus(error) => error.into(),
        AccessError::NoDocument(error) => error.into(),
        other => EditError::Access(ReadError::Accelerator { source: other.into() }),
    };
    TransactionError { operation, source }
}
