//! Who runs a recording.

use crate::error::GpuError;
use crate::limits::Limits;
use crate::recording::{Buffer, Outcome, Recording};
use std::time::Duration;

/// A device, or what stands in for one.
pub trait Backend: Send + Sync {
    /// What it can take.
    fn limits(&self) -> Limits;

    /// Runs a recording as one submission, waits for it, and brings back the downloads.
    ///
    /// # Errors
    /// When the device fails; then nothing of the recording's result is used.
    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError>;

    /// Makes and fills the buffers of a recording that does nothing else, without waiting for what is
    /// being computed. It is no submission of its own: what is sent arrives before the next one begins.
    ///
    /// # Errors
    /// When the device fails; then none of the buffers is there.
    fn send(&self, uploads: Recording) -> Result<(), GpuError>;

    /// Gives buffers back.
    fn free(&self, buffers: &[Buffer]);

    /// What was done since it was made.
    fn counters(&self) -> Counters;
}

/// What a backend has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Recordings that were submitted.
    pub submissions: u64,
    /// Kernels that were run.
    pub dispatches: u64,
    /// Symbols of grammars that kernels looked at. Twins alone count them.
    pub visits: u64,
    /// Times that the host read what submissions brought back: once for each, or once for each buffer that
    /// is read in place.
    pub downloads: u64,
    /// Bytes copied to the device.
    pub bytes_up: u64,
    /// Bytes copied from the device.
    pub bytes_down: u64,
    /// Bytes written and read in place, in memory that host and device share.
    pub bytes_shared: u64,
    /// The most bytes that buffers had at one time.
    pub peak_bytes: u64,
    /// Time for making and filling buffers, and for reading them.
    pub transfer: Duration,
    /// Time for kernels.
    pub compute: Duration,
}

impl<B: Backend + ?Sized> Backend for &B {
    fn limits(&self) -> Limits {
        (**self).limits()
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        (**self).submit(recording)
    }

    fn send(&self, uploads: Recording) -> Result<(), GpuError> {
        (**self).send(uploads)
    }

    fn free(&self, buffers: &[Buffer]) {
        (**self).free(buffers);
    }

    fn counters(&self) -> Counters {
        (**self).counters()
    }
}
