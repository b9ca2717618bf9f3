//! A GPU: runs recordings through wgpu.
//!
//! Only this folder and `adapter.rs` use wgpu. Every call to the driver is in an error scope, so that a
//! failure is returned as a [`GpuError`].
//!
//! | file | does |
//! |---|---|
//! | `pipelines` | compiles kernels |
//! | `memory` | creates, fills and reads buffers |
//! | `submission` | runs a recording as one command buffer |

mod memory;
mod pipelines;
mod submission;

use crate::adapter::Adapter;
use crate::backend::{Backend, Counters};
use crate::error::GpuError;
use crate::limits::Limits;
use crate::recording::{Buffer, Command, Outcome, Recording};
use pipelines::Pipeline;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// How to use a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceOptions {
    /// The most bytes of all buffers together; `None` for as much as the driver allows.
    pub memory: Option<u64>,
    /// The most bytes of one binding, if less than the driver allows.
    pub binding: Option<u64>,
    /// Whether to use memory that the host and the device share, if there is any.
    pub shared_memory: bool,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        Self { memory: None, binding: None, shared_memory: true }
    }
}

/// A GPU.
#[derive(Debug)]
pub struct Device {
    adapter: Adapter,
    device: wgpu::Device,
    queue: wgpu::Queue,
    limits: Limits,
    shares_memory: bool,
    lost: Arc<OnceLock<String>>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    buffers: HashMap<u32, wgpu::Buffer>,
    pipelines: HashMap<&'static str, Arc<Pipeline>>,
    counters: Counters,
    bytes: u64,
}

impl Device {
    /// Opens an adapter.
    ///
    /// # Errors
    /// [`GpuError::NoDevice`].
    pub fn new(adapter: Adapter, options: DeviceOptions) -> Result<Self, GpuError> {
        let shares_memory = options.shared_memory && adapter.shares_memory();
        let required_features = match shares_memory {
            true => wgpu::Features::MAPPABLE_PRIMARY_BUFFERS,
            false => wgpu::Features::empty(),
        };
        // The driver then refuses larger bindings.
        let mut limits = adapter.inner.limits();
        let most_binding = limits.max_storage_buffer_binding_size.min(limits.max_buffer_size);
        let binding = options.binding.unwrap_or(u64::MAX).min(most_binding) / 4 * 4;
        limits.max_storage_buffer_binding_size = binding;
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("zgram"),
            required_features,
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.inner.request_device(&descriptor)).map_err(|error| {
                GpuError::NoDevice { adapter: adapter.name.clone(), reason: error.to_string() }
            })?;
        let lost = Arc::new(OnceLock::new());
        let note = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            let _ = note.set(format!("{reason:?} {message}"));
        });
        // The driver reports how much memory there is only by refusing more.
        let memory = options.memory.unwrap_or(u64::MAX);
        let limits = Limits {
            binding: usize::try_from(binding / 4).unwrap_or(usize::MAX),
            memory: usize::try_from(memory / 4).unwrap_or(usize::MAX),
        };
        let state = Mutex::default();
        Ok(Self { adapter, device, queue, limits, shares_memory, lost, state })
    }

    /// Its adapter.
    #[must_use]
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Whether buffers are in memory that the host and the device share.
    #[must_use]
    pub fn shares_memory(&self) -> bool {
        self.shares_memory
    }

    /// Runs `work` and returns the error that the driver reports.
    fn guarded<T>(
        &self,
        wrong: impl FnOnce(String) -> GpuError,
        work: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        // Variables are dropped in reverse order, also when `work` panics; those of an array are not.
        let validation = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let internal = self.device.push_error_scope(wgpu::ErrorFilter::Internal);
        let memory = self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory);
        let result = work();
        let errors = [memory, internal, validation].map(|scope| pollster::block_on(scope.pop()));
        let first = errors.into_iter().flatten().next();
        if let Some(reason) = self.lost.get() {
            return Err(GpuError::Lost { reason: reason.clone() });
        }
        match first {
            None => Ok(result),
            Some(wgpu::Error::OutOfMemory { .. }) => {
                let used = self.state.lock().expect("no holder panics").bytes;
                Err(GpuError::OutOfMemory { needed: used, limit: used })
            }
            Some(error) => Err(wrong(error.to_string())),
        }
    }

    fn wait(&self) -> Result<(), GpuError> {
        let wait = self.device.poll(wgpu::PollType::wait_indefinitely());
        match (self.lost.get(), wait) {
            (Some(reason), _) => Err(GpuError::Lost { reason: reason.clone() }),
            (None, Err(error)) => Err(GpuError::Lost { reason: error.to_string() }),
            (None, Ok(_)) => Ok(()),
        }
    }
}

impl Backend for Device {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        let result = recording.check(self.limits).and_then(|()| self.run(&recording.commands));
        self.release(&recording, result.is_err());
        result
    }

    fn send(&self, uploads: Recording) -> Result<(), GpuError> {
        let result = self.upload(&uploads.commands);
        self.release(&uploads, result.is_err());
        result
    }

    fn free(&self, buffers: &[Buffer]) {
        let mut state = self.state.lock().expect("no holder panics");
        for buffer in buffers {
            if let Some(freed) = state.buffers.remove(&buffer.id) {
                state.bytes -= freed.size();
                freed.destroy();
            }
        }
    }

    fn counters(&self) -> Counters {
        self.state.lock().expect("no holder panics").counters
    }
}

impl Device {
    /// Frees the buffers that a recording frees, and all that it has created if it failed.
    fn release(&self, recording: &Recording, has_failed: bool) {
        let gone = recording.commands.iter().filter_map(|command| match command {
            Command::Free(buffer) => Some(*buffer),
            // A recording that fails leaves no buffers.
            Command::Create(buffer) | Command::Upload(buffer, _) if has_failed => Some(*buffer),
            _ => None,
        });
        self.free(&gone.collect::<Vec<_>>());
    }
}
