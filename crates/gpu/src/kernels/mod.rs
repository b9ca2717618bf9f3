//! The kernels: NAME.wgsl for devices, and beside it NAME.rs, its twin on the CPU.

pub mod radix_count;
pub mod radix_scatter;
pub mod scan_add;
pub mod scan_tiles;

use crate::kernel::Kernel;

/// Every kernel, for checks of all.
pub static ALL: &[&Kernel] =
    &[&radix_count::KERNEL, &radix_scatter::KERNEL, &scan_add::KERNEL, &scan_tiles::KERNEL];
