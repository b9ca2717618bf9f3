//! A GPU: runs recordings through wgpu.
//!
//! The only file that knows how buffers, pipelines and submissions are made. Every call to the
//! driver stands in an error scope, so that what goes wrong comes back as a [`GpuError`].

use crate::adapter::Adapter;
use crate::backend::{Backend, Counters, Limits};
use crate::error::GpuError;
use crate::kernel::{Access, Kernel};
use crate::recording::{Binding, Buffer, Command, Dispatch, Outcome, Recording};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

/// Workgroups in a row of a grid: a device takes at most 65,535. As in `shared/grid.wgsl`.
const GRID_ROW: u32 = 32_768;

/// How a device is to be used.
#[derive(Clone, Copy, Debug)]
pub struct DeviceOptions {
    /// Bytes that all buffers may have together; what the driver gives if `None`.
    pub memory: Option<u64>,
    /// Bytes that one binding may have, if less than the driver allows.
    pub binding: Option<u64>,
    /// Whether memory that host and device share is used in place, where there is such.
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

#[derive(Debug)]
struct Pipeline {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::ComputePipeline,
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
        // The driver itself then refuses what passes the limit.
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
        // The driver says how much memory there is only by refusing.
        let memory = options.memory.unwrap_or(u64::MAX);
        let limits = Limits {
            binding: usize::try_from(binding / 4).unwrap_or(usize::MAX),
            memory: usize::try_from(memory / 4).unwrap_or(usize::MAX),
        };
        let state = Mutex::default();
        Ok(Self { adapter, device, queue, limits, shares_memory, lost, state })
    }

    /// The adapter it was made from.
    #[must_use]
    pub fn adapter(&self) -> &Adapter {
        &self.adapter
    }

    /// Whether buffers lie in memory that host and device share, and are used in place.
    #[must_use]
    pub fn shares_memory(&self) -> bool {
        self.shares_memory
    }

    /// Runs `work` and tells what the driver found wrong with it.
    fn guarded<T>(
        &self,
        wrong: impl FnOnce(String) -> GpuError,
        work: impl FnOnce() -> T,
    ) -> Result<T, GpuError> {
        let scopes = [
            self.device.push_error_scope(wgpu::ErrorFilter::Validation),
            self.device.push_error_scope(wgpu::ErrorFilter::Internal),
            self.device.push_error_scope(wgpu::ErrorFilter::OutOfMemory),
        ];
        let result = work();
        let mut errors =
            scopes.into_iter().rev().filter_map(|scope| pollster::block_on(scope.pop()));
        let first = errors.next();
        errors.for_each(drop);
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

    fn pipeline(&self, kernel: &'static Kernel) -> Result<Arc<Pipeline>, GpuError> {
        let known =
            self.state.lock().expect("no holder panics").pipelines.get(kernel.name).cloned();
        if let Some(pipeline) = known {
            return Ok(pipeline);
        }
        let refused = |reason| GpuError::Refused { kernel: kernel.name, reason };
        let pipeline = Arc::new(self.guarded(refused, || self.build(kernel))?);
        let mut state = self.state.lock().expect("no holder panics");
        state.pipelines.insert(kernel.name, Arc::clone(&pipeline));
        Ok(pipeline)
    }

    fn build(&self, kernel: &'static Kernel) -> Pipeline {
        let label = Some(kernel.name);
        let source = wgpu::ShaderSource::Wgsl(kernel.wgsl().into());
        let module =
            self.device.create_shader_module(wgpu::ShaderModuleDescriptor { label, source });
        let entry = |binding: u32, ty: wgpu::BufferBindingType| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::COMPUTE,
            ty: wgpu::BindingType::Buffer {
                ty,
                has_dynamic_offset: ty == wgpu::BufferBindingType::Uniform,
                min_binding_size: None,
            },
            count: None,
        };
        let storage =
            |access: &Access| wgpu::BufferBindingType::Storage { read_only: !access.is_writing() };
        let buffers = (1..).zip(kernel.bindings).map(|(at, access)| entry(at, storage(access)));
        let entries: Vec<wgpu::BindGroupLayoutEntry> =
            std::iter::once(entry(0, wgpu::BufferBindingType::Uniform)).chain(buffers).collect();
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label,
            entries: &entries,
        });
        let pipeline_layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label,
            layout: Some(&pipeline_layout),
            module: &module,
            entry_point: Some("main"),
            compilation_options: wgpu::PipelineCompilationOptions::default(),
            cache: None,
        });
        Pipeline { layout, pipeline }
    }

    /// Makes a buffer, of zeros or with content.
    fn create(&self, buffer: Buffer, content: Option<&[u32]>) -> Result<(), GpuError> {
        let size = 4 * buffer.words() as u64;
        {
            let mut state = self.state.lock().expect("no holder panics");
            let needed = state.bytes + size;
            let limit = 4 * self.limits.memory as u64;
            let most = self.adapter.most_buffer_bytes();
            if needed > limit || size > most {
                return Err(GpuError::OutOfMemory { needed, limit: limit.min(most) });
            }
            state.bytes = needed;
            state.counters.peak_bytes = state.counters.peak_bytes.max(needed);
            let bytes = content.map_or(0, |content| 4 * content.len() as u64);
            match self.shares_memory {
                true => state.counters.bytes_shared += bytes,
                false => state.counters.bytes_up += bytes,
            }
        }
        let mut usage = wgpu::BufferUsages::STORAGE
            | wgpu::BufferUsages::COPY_SRC
            | wgpu::BufferUsages::COPY_DST;
        if self.shares_memory {
            usage |= wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::MAP_WRITE;
        }
        let descriptor = wgpu::BufferDescriptor {
            label: Some(buffer.name()),
            size,
            usage,
            mapped_at_creation: content.is_some(),
        };
        let invalid = |reason| GpuError::Invalid { reason };
        let made = self.guarded(invalid, || {
            let made = self.device.create_buffer(&descriptor);
            if let Some(content) = content {
                // A buffer that could not be made has no range to write to; the scope tells why.
                if let Ok(mut range) = made.slice(..).get_mapped_range_mut() {
                    range.copy_from_slice(bytemuck::cast_slice(content));
                }
                made.unmap();
            }
            made
        });
        let mut state = self.state.lock().expect("no holder panics");
        match made {
            Ok(made) => {
                state.buffers.insert(buffer.id, made);
                Ok(())
            }
            Err(error) => {
                state.bytes -= size;
                Err(error)
            }
        }
    }

    fn buffer(&self, buffer: Buffer) -> wgpu::Buffer {
        let state = self.state.lock().expect("no holder panics");
        state.buffers.get(&buffer.id).expect("a buffer that was made and not freed").clone()
    }

    /// Parameters of all dispatches, each at a place of its own, and the distance of the places.
    fn params(&self, commands: &[Command]) -> (wgpu::Buffer, u32) {
        let step = self.device.limits().min_uniform_buffer_offset_alignment.max(PARAM_BYTES);
        let mut bytes = vec![0u8; 0];
        for command in commands {
            if let Command::Dispatch(Dispatch { params, .. }) = command {
                let end = bytes.len() + step as usize;
                bytes.extend_from_slice(bytemuck::cast_slice(params));
                bytes.resize(end, 0);
            }
        }
        bytes.resize(bytes.len().max(step as usize), 0);
        let buffer = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("params"),
            size: bytes.len() as u64,
            usage: wgpu::BufferUsages::UNIFORM,
            mapped_at_creation: true,
        });
        if let Ok(mut range) = buffer.slice(..).get_mapped_range_mut() {
            range.copy_from_slice(&bytes);
        }
        buffer.unmap();
        (buffer, step)
    }

    fn bind(
        &self,
        dispatch: &Dispatch,
        pipeline: &Pipeline,
        params: &wgpu::Buffer,
    ) -> wgpu::BindGroup {
        let buffers: Vec<wgpu::Buffer> =
            dispatch.bindings.iter().map(|binding| self.buffer(binding.buffer)).collect();
        let resource = |buffer, offset: u64, size: u64| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer,
                offset,
                size: std::num::NonZeroU64::new(size),
            })
        };
        let mut entries = vec![wgpu::BindGroupEntry {
            binding: 0,
            resource: resource(params, 0, u64::from(PARAM_BYTES)),
        }];
        for ((at, buffer), binding) in (1..).zip(&buffers).zip(&dispatch.bindings) {
            let (start, end) = (4 * binding.words.0 as u64, 4 * binding.words.1 as u64);
            let resource = resource(buffer, start, end - start);
            entries.push(wgpu::BindGroupEntry { binding: at, resource });
        }
        self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some(dispatch.kernel.name),
            layout: &pipeline.layout,
            entries: &entries,
        })
    }

    /// Puts all commands that run on the device into one command buffer.
    fn encode(
        &self,
        commands: &[Command],
        pipelines: &HashMap<&'static str, Arc<Pipeline>>,
    ) -> (wgpu::CommandBuffer, Vec<Reading>) {
        let (params, step) = self.params(commands);
        let mut groups: HashMap<(&'static str, &[Binding]), wgpu::BindGroup> = HashMap::new();
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("recording") });
        let mut readings = Vec::new();
        let mut offset = 0;
        let mut at = 0;
        while let Some(command) = commands.get(at) {
            at += 1;
            match command {
                Command::Clear(buffer) => encoder.clear_buffer(&self.buffer(*buffer), 0, None),
                Command::Copy { from, words, to, at } => encoder.copy_buffer_to_buffer(
                    &self.buffer(*from),
                    4 * words.start as u64,
                    &self.buffer(*to),
                    4 * *at as u64,
                    4 * words.len() as u64,
                ),
                Command::Dispatch(_) => {
                    at -= 1;
                    let mut pass =
                        encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
                    while let Some(Command::Dispatch(dispatch)) = commands.get(at) {
                        let pipeline = &pipelines[dispatch.kernel.name];
                        let group = groups
                            .entry((dispatch.kernel.name, &dispatch.bindings))
                            .or_insert_with(|| self.bind(dispatch, pipeline, &params));
                        pass.set_pipeline(&pipeline.pipeline);
                        pass.set_bind_group(0, &*group, &[offset]);
                        let count = dispatch.workgroups;
                        let rows = count.div_ceil(GRID_ROW);
                        pass.dispatch_workgroups(count.min(GRID_ROW), rows, 1);
                        offset += step;
                        at += 1;
                    }
                }
                Command::Download(buffer, words) => {
                    readings.push(self.reading(&mut encoder, *buffer, words.clone()));
                }
                Command::Create(_) | Command::Upload(..) | Command::Free(_) => {}
            }
        }
        (encoder.finish(), readings)
    }

    /// Prepares to read words: in place, or from a copy that the host can see.
    fn reading(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        buffer: Buffer,
        words: Range<usize>,
    ) -> Reading {
        let source = self.buffer(buffer);
        let bytes = 4 * words.start as u64..4 * words.end as u64;
        if self.shares_memory {
            return Reading { buffer: source, bytes };
        }
        let copy = self.device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("download"),
            size: (bytes.end - bytes.start).max(4),
            usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let len = bytes.end - bytes.start;
        encoder.copy_buffer_to_buffer(&source, bytes.start, &copy, 0, len);
        Reading { buffer: copy, bytes: 0..len }
    }

    fn wait(&self) -> Result<(), GpuError> {
        let wait = self.device.poll(wgpu::PollType::wait_indefinitely());
        match (self.lost.get(), wait) {
            (Some(reason), _) => Err(GpuError::Lost { reason: reason.clone() }),
            (None, Err(error)) => Err(GpuError::Lost { reason: error.to_string() }),
            (None, Ok(_)) => Ok(()),
        }
    }

    fn read(&self, readings: Vec<Reading>) -> Result<Vec<Vec<u32>>, GpuError> {
        let lost = |error: String| GpuError::Lost { reason: error };
        // One map of a buffer at a time; its parts may be read by several downloads.
        let mut downloads = Vec::with_capacity(readings.len());
        for Reading { buffer, bytes } in readings {
            let len = bytes.end - bytes.start;
            if len == 0 {
                downloads.push(Vec::new());
                continue;
            }
            // Ranges are mapped from multiples of eight bytes on.
            let from = bytes.start / 8 * 8;
            let slice = buffer.slice(from..bytes.end);
            let (send, receive) = std::sync::mpsc::channel();
            slice.map_async(wgpu::MapMode::Read, move |result| {
                let _ = send.send(result);
            });
            self.wait()?;
            match receive.recv() {
                Ok(Ok(())) => {}
                Ok(Err(error)) => return Err(lost(error.to_string())),
                Err(error) => return Err(lost(error.to_string())),
            }
            let view = slice.get_mapped_range().map_err(|error| lost(error.to_string()))?;
            let words: Vec<u32> =
                bytemuck::pod_collect_to_vec(&view[(bytes.start - from) as usize..]);
            drop(view);
            buffer.unmap();
            let mut state = self.state.lock().expect("no holder panics");
            match self.shares_memory {
                true => state.counters.bytes_shared += len,
                false => state.counters.bytes_down += len,
            }
            downloads.push(words);
        }
        Ok(downloads)
    }

    fn run(&self, commands: &[Command]) -> Result<Outcome, GpuError> {
        let start = Instant::now();
        let mut pipelines = HashMap::new();
        for command in commands {
            match command {
                Command::Create(buffer) => self.create(*buffer, None)?,
                Command::Upload(buffer, words) => self.create(*buffer, Some(words))?,
                Command::Dispatch(Dispatch { kernel, .. })
                    if !pipelines.contains_key(kernel.name) =>
                {
                    pipelines.insert(kernel.name, self.pipeline(kernel)?);
                }
                _ => {}
            }
        }
        let uploaded = Instant::now();
        let invalid = |reason| GpuError::Invalid { reason };
        let readings = self.guarded(invalid, || {
            let (buffer, readings) = self.encode(commands, &pipelines);
            self.queue.submit([buffer]);
            readings
        })?;
        self.wait()?;
        let computed = Instant::now();
        let downloads =
            self.guarded(|reason| GpuError::Invalid { reason }, || self.read(readings))??;
        let mut state = self.state.lock().expect("no holder panics");
        let counters = &mut state.counters;
        counters.submissions += 1;
        counters.dispatches +=
            commands.iter().filter(|c| matches!(c, Command::Dispatch(_))).count() as u64;
        counters.transfer += (uploaded - start) + computed.elapsed();
        counters.compute += computed - uploaded;
        Ok(Outcome { downloads })
    }
}

/// Bytes that a kernel sees of its parameters.
const PARAM_BYTES: u32 = 64;

/// What is to be read after a submission.
struct Reading {
    buffer: wgpu::Buffer,
    bytes: Range<u64>,
}

impl Backend for Device {
    fn limits(&self) -> Limits {
        self.limits
    }

    fn submit(&self, recording: Recording) -> Result<Outcome, GpuError> {
        let result = recording.check(self.limits).and_then(|()| self.run(&recording.commands));
        let gone = recording.commands.iter().filter_map(|command| match command {
            Command::Free(buffer) => Some(*buffer),
            // Of a recording that failed nothing stays.
            Command::Create(buffer) | Command::Upload(buffer, _) if result.is_err() => {
                Some(*buffer)
            }
            _ => None,
        });
        self.free(&gone.collect::<Vec<_>>());
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
