//! The GPU on the command line: chooses the engine that counts, reads or sorts blocks, and runs `zgram
//! gpu`.
//!
//! Without the feature `gpu`, the same arguments exist and are refused with the reason.

#[cfg(feature = "gpu")]
mod cost;
#[cfg_attr(feature = "gpu", path = "enabled.rs")]
#[cfg_attr(not(feature = "gpu"), path = "disabled.rs")]
mod imp;

pub(crate) use imp::{Gpu, Reader, block_sorter, choose, choose_reader, list};
