//! What runs a recording.

use crate::error::GpuError;
use crate::limits::Limits;
use crate::recording::{Buffer, Outcome, Recording};
use std::time::Duration;

/// A device, or an emulation of one.
pub trait Backend: Send + Sync {
    /// The largest sizes that it accepts.
    fn limits(&self) -> Limits;

    /// Runs a recording as one submission, waits for it, and returns the downloads.
    ///
    /// # Errors
    /// When the device fails. Then no result of the recording is valid.
    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError>;

    /// Creates and fills the buffers of a recording that does nothing else, without waiting for running
    /// work. It is not a submission: the data arrives before the next submission begins.
    ///
    /// # Errors
    /// When the device fails. Then none of the buffers exists.
    fn send(&self, uploads: Recording) -> Result<(), GpuError>;

    /// Frees buffers.
    fn free(&self, buffers: &[Buffer]);

    /// Counters since the backend was created.
    fn counters(&self) -> Counters;
}

/// The work of a backend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Submitted recordings.
    pub submissions: u64,
    /// Dispatched kernels.
    pub dispatches: u64,
    /// Grammar symbols that kernels visited. Only twins count them.
    pub visits: u64,
    /// How often the host read results: once per submission, or once per buffer that is read in place.
    pub downloads: u64,
    /// Bytes copied to the device.
    pub bytes_up: u64,
    /// Bytes copied from the device.
    pub bytes_down: u64,
    /// Bytes written and read in memory that the host and the device share.
    pub bytes_shared: u64,
    /// The most bytes that buffers had at one time.
    pub peak_bytes: u64,
    /// Time to create, fill and read buffers.
    pub transfer: Duration,
    /// Time of kernels.
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
