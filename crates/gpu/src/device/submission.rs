//! Runs a recording as one command buffer.

use super::Device;
use super::memory::Reading;
use super::pipelines::Pipeline;
use crate::error::GpuError;
use crate::recording::{Binding, Command, Dispatch, Outcome};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Workgroups in a row of a grid, as in `kernels/shared/grid.wgsl`: a device accepts at most 65,535.
const GRID_ROW: u32 = 32_768;

/// The bytes of a kernel's parameters.
const PARAM_BYTES: u32 = 64;

impl Device {
    /// The parameters of all dispatches in one buffer, and the distance between them.
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

    /// Encodes all commands that run on the device as one command buffer.
    fn encode(
        &self,
        commands: &[Command],
        pipelines: &HashMap<&'static str, Arc<Pipeline>>,
    ) -> (wgpu::CommandBuffer, Reading) {
        let (params, step) = self.params(commands);
        let mut groups: HashMap<(&'static str, &[Binding]), wgpu::BindGroup> = HashMap::new();
        let mut encoder = self
            .device
            .create_command_encoder(&wgpu::CommandEncoderDescriptor { label: Some("recording") });
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
                Command::Create(_) | Command::Upload(..) | Command::Free(_) => {}
                // Recorded at the end, when nothing writes any more.
                Command::Download(..) => {}
            }
        }
        let reading = self.reading(&mut encoder, commands);
        (encoder.finish(), reading)
    }

    /// Creates and fills buffers. The driver copies the content to the device after the work submitted
    /// before, while the host continues.
    pub(super) fn upload(&self, commands: &[Command]) -> Result<(), GpuError> {
        let start = Instant::now();
        self.fill(commands)?;
        self.guarded(|reason| GpuError::Invalid { reason }, || self.queue.submit([]))?;
        let mut state = self.state.lock().expect("no holder panics");
        state.counters.transfer += start.elapsed();
        Ok(())
    }

    fn fill(&self, commands: &[Command]) -> Result<(), GpuError> {
        for command in commands {
            match command {
                Command::Create(buffer) => self.create(*buffer, None)?,
                Command::Upload(buffer, words) => self.create(*buffer, Some(words))?,
                _ => {}
            }
        }
        Ok(())
    }

    /// Runs commands as one submission.
    pub(super) fn run(&self, commands: &[Command]) -> Result<Outcome, GpuError> {
        let start = Instant::now();
        self.fill(commands)?;
        let mut pipelines = HashMap::new();
        for command in commands {
            match command {
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
        let reading = self.guarded(invalid, || {
            let (buffer, reading) = self.encode(commands, &pipelines);
            self.queue.submit([buffer]);
            reading
        })?;
        self.wait()?;
        let computed = Instant::now();
        let downloads =
            self.guarded(|reason| GpuError::Invalid { reason }, || self.read(reading))??;
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
