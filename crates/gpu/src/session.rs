//! Submissions that share buffers.

use crate::backend::Backend;
use crate::error::GpuError;
use crate::recording::{Buffer, Outcome, Recording};
use std::time::{Duration, Instant};

/// The purpose of a submission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Prepares counting: bounds, sizes, heads and tails.
    Initialisation,
    /// Counting.
    Traversal,
}

/// The cost of each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phases {
    pub(crate) initialisation: Duration,
    pub(crate) traversal: Duration,
    /// Submissions that count.
    pub(crate) traversals: u64,
    /// Symbols visited while counting: see [`Counters::visits`](crate::Counters::visits).
    pub(crate) visits: u64,
}

/// Submissions to one backend. The session frees the buffers that they leave on the device when it ends,
/// whatever happens.
pub(crate) struct Session<'b> {
    pub(crate) backend: &'b dyn Backend,
    kept: Vec<Buffer>,
    pub(crate) submissions: u64,
    pub(crate) phases: Phases,
}

impl<'b> Session<'b> {
    pub(crate) fn new(backend: &'b dyn Backend) -> Self {
        Self { backend, kept: Vec::new(), submissions: 0, phases: Phases::default() }
    }

    pub(crate) fn submit(
        &mut self,
        phase: Phase,
        recording: Recording,
    ) -> Result<Outcome, GpuError> {
        let start = Instant::now();
        let visits = self.backend.counters().visits;
        let outcome = self.run(recording)?;
        match phase {
            Phase::Initialisation => self.phases.initialisation += start.elapsed(),
            Phase::Traversal => {
                self.phases.traversal += start.elapsed();
                self.phases.traversals += 1;
                self.phases.visits += self.backend.counters().visits - visits;
            }
        }
        Ok(outcome)
    }

    /// Submits a recording that belongs to no phase.
    pub(crate) fn run(&mut self, recording: Recording) -> Result<Outcome, GpuError> {
        let (kept, freed) = (recording.kept(), recording.freed());
        let outcome = self.backend.submit(recording)?;
        self.submissions += 1;
        self.kept.retain(|own| !freed.contains(own));
        self.kept.extend(kept);
        Ok(outcome)
    }

    /// The words of its buffers on the device.
    pub(crate) fn words(&self) -> usize {
        self.kept.iter().map(Buffer::words).sum()
    }

    /// Takes over buffers that were sent before.
    pub(crate) fn adopt(&mut self, buffers: &[Buffer]) {
        self.kept.extend(buffers);
    }

    /// Hands buffers to the caller, so that they outlive the session.
    pub(crate) fn keep(&mut self, buffers: &[Buffer]) {
        self.kept.retain(|own| !buffers.contains(own));
    }

    /// Frees buffers before the session ends.
    pub(crate) fn free(&mut self, buffers: &[Buffer]) {
        self.keep(buffers);
        self.backend.free(buffers);
    }
}

impl Drop for Session<'_> {
    fn drop(&mut self) {
        self.backend.free(&self.kept);
    }
}
