//! Several submissions that share buffers.

use crate::backend::Backend;
use crate::error::GpuError;
use crate::recording::{Buffer, Outcome, Recording};
use std::time::{Duration, Instant};

/// What a submission is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Bounds, sizes, heads and tails: what must be known before counting.
    Initialisation,
    /// Counting.
    Traversal,
}

/// What phases took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Phases {
    pub(crate) initialisation: Duration,
    pub(crate) traversal: Duration,
    /// Submissions for counting.
    pub(crate) traversals: u64,
    /// Symbols looked at for counting: see [`Counters::visits`](crate::Counters::visits).
    pub(crate) visits: u64,
}

/// Submissions to one backend. What they leave on the device is given back in the end, whatever
/// happens.
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

    /// Submits what belongs to no phase.
    pub(crate) fn run(&mut self, recording: Recording) -> Result<Outcome, GpuError> {
        let (kept, freed) = (recording.kept(), recording.freed());
        let outcome = self.backend.submit(recording)?;
        self.submissions += 1;
        self.kept.retain(|own| !freed.contains(own));
        self.kept.extend(kept);
        Ok(outcome)
    }

    /// Words of the buffers that it has on the device.
    pub(crate) fn words(&self) -> usize {
        self.kept.iter().map(Buffer::words).sum()
    }

    /// Takes over buffers that were sent before.
    pub(crate) fn adopt(&mut self, buffers: &[Buffer]) {
        self.kept.extend(buffers);
    }

    /// Lets buffers outlive the session; they are the caller's then.
    pub(crate) fn keep(&mut self, buffers: &[Buffer]) {
        self.kept.retain(|own| !buffers.contains(own));
    }

    /// Gives a buffer back before the end.
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
