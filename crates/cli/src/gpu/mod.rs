//! The GPU on the command line: which engine counts, reads or sorts blocks, and `zgram gpu`.
//!
//! Without the feature `gpu` the same arguments are there, and say that there is no GPU.

#[cfg(feature = "gpu")]
mod cost;
#[cfg_attr(feature = "gpu", path = "enabled.rs")]
#[cfg_attr(not(feature = "gpu"), path = "disabled.rs")]
mod imp;

pub(crate) use imp::{Gpu, Reader, block_sorter, choose, choose_reader, list};
