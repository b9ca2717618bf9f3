//! zgram's tasks on any GPU, block sorting ([`bwt`]), and random access ([`access`]).
//!
//! Kernels are written in WGSL and run through wgpu on Vulkan, Metal or DirectX 12. The host first builds
//! a [`Recording`], plain data that can be printed, and then submits it to a [`Backend`]: a [`Device`],
//! or [`Twins`], which runs the kernels' twins on the CPU.

#![forbid(unsafe_code)]

pub mod access;
mod adapter;
mod backend;
pub mod bwt;
mod bytes;
mod cpu_twins;
mod device;
mod engine;
mod error;
mod hardware;
mod kernel;
pub mod kernels;
mod limits;
mod primitives;
mod recording;
mod self_test;
mod session;
mod shader;

pub use adapter::{Adapter, Kind, Wish, adapters, choose};
pub use backend::{Backend, Counters};
pub use cpu_twins::Twins;
pub use device::{Device, DeviceOptions};
pub use engine::{Engine, Nodes, Stats};
pub use error::GpuError;
pub use hardware::may_have_hardware;
pub use kernel::{Access, Call, Kernel, Visits};
pub use limits::Limits;
pub use primitives::Sorter;
pub use recording::{BINDING_STEP, Binding, Buffer, Download, Outcome, Recording};
pub use self_test::{SelfTest, self_test};
