//! Counts made by an accelerator in place of a traversal.

use super::Setting;
use crate::analytics::accelerate::{Acceleration, Counted, Job};
use crate::error::QueryError;

/// Counts of a segment's chosen documents.
pub(crate) struct Accelerated {
    pub(crate) counted: Counted,
    /// The documents that were counted separately; `None` if all were counted together.
    separate: Option<Vec<usize>>,
}

impl Accelerated {
    /// The items of `documents` and their counts: of one document, or of all if all were counted
    /// together.
    pub(crate) fn items(&self, documents: &[usize]) -> impl Iterator<Item = (u32, u64)> {
        let group = match (&self.separate, documents) {
            (Some(separate), [document]) => {
                separate.binary_search(document).expect("a document of the job")
            }
            (Some(_), _) => unreachable!("each document was counted separately"),
            (None, _) => 0,
        };
        let Counted { starts, items, counts, .. } = &self.counted;
        let range = starts[group]..starts[group + 1];
        items[range.clone()].iter().copied().zip(counts[range].iter().copied())
    }
}

impl Setting<'_> {
    /// Gives a job to the accelerator; `None` if there is none, or if it failed and the CPU takes
    /// over.
    pub(crate) fn accelerate(&self, job: &Job<'_>) -> Result<Option<Accelerated>, QueryError> {
        let Some(Acceleration { accelerator, falls_back }) = self.plan.options.acceleration else {
            return Ok(None);
        };
        match accelerator.count(job) {
            Ok(counted) => {
                self.visited(counted.visited);
                let separate = job.by_document.then(|| job.documents.to_vec());
                Ok(Some(Accelerated { counted, separate }))
            }
            Err(source) if falls_back => {
                self.ledger.failures.lock().expect("no holder panics").push(source.to_string());
                Ok(None)
            }
            Err(source) => Err(QueryError::Accelerator { source }),
        }
    }
}
