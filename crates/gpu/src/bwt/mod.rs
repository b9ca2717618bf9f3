//! The stages of block sorting on a GPU (thesis *Parallel Lossless Data Compression on the GPU*, chapters
//! 2 and 3). The results are those of [`zgram_bwt`], bit for bit.
//!
//! | stage | here | on the CPU |
//! |---|---|---|
//! | transform | [`Stages::forward`] | [`zgram_bwt::forward`] |
//! | its inverse | [`Stages::inverse`] | [`zgram_bwt::inverse()`] |
//! | move to front | [`Stages::move_to_front`] | [`zgram_bwt::mtf::encode`] |
//! | its inverse | [`Stages::move_from_front`] | [`zgram_bwt::mtf::decode`] |
//! | histogram | [`Stages::histogram`] | [`zgram_bwt::histogram::histogram`] |
//! | Huffman | [`Stages::huffman`] | [`zgram_bwt::huffman::encode`] |
//! | its inverse | [`Stages::from_huffman`], [`Stages::decode`] | [`zgram_bwt::huffman::decode`] |
//!
//! With them, a [`zgram_bwt::bzip2::Writer`] compresses blocks on a GPU, and a
//! [`Reader`](zgram_bwt::bzip2::Reader) decompresses them.

mod bzip2;
mod decode;
mod forward;
mod huffman;
mod inverse;
mod mtf;
mod traffic;

pub use huffman::Codes;
pub use mtf::List;
pub use traffic::{BlockTraffic, StageTraffic};

use crate::backend::Backend;
use crate::error::GpuError;
use crate::recording::{Outcome, Recording};
use crate::session::Session;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes by kernel.
pub type Traffic = BTreeMap<&'static str, u64>;

/// The stages on a backend.
#[derive(Debug)]
pub struct Stages<B> {
    backend: B,
    /// Held while a stage runs: one block is on the device at a time.
    device_lock: Mutex<()>,
    traffic: Mutex<Traffic>,
}

impl<B: Backend> Stages<B> {
    /// The stages on a backend.
    pub fn new(backend: B) -> Self {
        Self { backend, device_lock: Mutex::default(), traffic: Mutex::default() }
    }

    /// The backend.
    pub fn backend(&self) -> &B {
        &self.backend
    }

    /// The bytes of device memory that each kernel has read and written so far, by the count of
    /// [`Recording::traffic`].
    pub fn traffic(&self) -> Traffic {
        lock(&self.traffic).clone()
    }

    /// The submissions of one stage.
    fn run(&self) -> Run<'_> {
        Run {
            _device: lock(&self.device_lock),
            session: Session::new(&self.backend),
            traffic: &self.traffic,
        }
    }

    /// Checks that a buffer of this many words can be bound.
    fn check_fits(&self, words: usize) -> Result<(), GpuError> {
        let limit = self.backend.limits().binding;
        match words <= limit {
            true => Ok(()),
            false => {
                Err(GpuError::OutOfMemory { needed: 4 * words as u64, limit: 4 * limit as u64 })
            }
        }
    }
}

/// Submissions whose traffic is counted.
struct Run<'s> {
    session: Session<'s>,
    traffic: &'s Mutex<Traffic>,
    /// The last field, so that the lock is released after the session has freed its buffers.
    _device: MutexGuard<'s, ()>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Run<'_> {
    fn submit(&mut self, recording: Recording) -> Result<Outcome, GpuError> {
        recording.traffic_by_kernel().for_each(|(kernel, bytes)| self.add(kernel, bytes));
        self.session.run(recording)
    }

    /// Adds bytes that a kernel read or wrote.
    fn add(&mut self, kernel: &'static str, bytes: u64) {
        if bytes > 0 {
            *lock(self.traffic).entry(kernel).or_default() += bytes;
        }
    }
}
