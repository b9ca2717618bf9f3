//! Compiles kernels.

use super::Device;
use crate::error::GpuError;
use crate::kernel::{Access, Kernel};
use std::sync::Arc;

/// A compiled kernel.
#[derive(Debug)]
pub(super) struct Pipeline {
    pub(super) layout: wgpu::BindGroupLayout,
    pub(super) pipeline: wgpu::ComputePipeline,
}

impl Device {
    /// A kernel, compiled when it is first needed.
    pub(super) fn pipeline(&self, kernel: &'static Kernel) -> Result<Arc<Pipeline>, GpuError> {
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
}
