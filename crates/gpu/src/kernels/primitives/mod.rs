//! Kernels that scan and sort words of any meaning.
//!
//! | kernel | computes | dispatched by |
//! |---|---|---|
//! | `scan_tiles` | exclusive sums within tiles, and the sum of each tile | `primitives.rs` |
//! | `scan_add` | adds the sum of the tiles before | `primitives.rs` |
//! | `radix_count` | how often each digit occurs in each tile | `bwt/forward.rs`, `primitives.rs` |
//! | `radix_scatter` | keys and payloads in the order of one digit | `primitives.rs` |

pub mod radix_count;
pub mod radix_scatter;
pub mod scan_add;
pub mod scan_tiles;

use crate::kernel::Kernel;

/// Every kernel of this family.
pub static ALL: &[&Kernel] =
    &[&scan_tiles::KERNEL, &scan_add::KERNEL, &radix_count::KERNEL, &radix_scatter::KERNEL];
