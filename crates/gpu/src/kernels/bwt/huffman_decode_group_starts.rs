//! Twin of the kernel: follows the groups from the first whose start is unknown to the last that begins
//! in the window.

use crate::kernel::{Call, kernel};
use crate::kernels::half;

kernel!(
    /// One thread.
    huffman_decode_group_starts, workgroup 64, params [first, positions, groups],
    bindings [Sparse, Sparse, SparseWrite]
);

/// The start of a group after bits that are no code.
const NOWHERE: u32 = u32::MAX;

fn huffman_decode_group_starts(call: &mut Call<'_>) {
    let [first, positions, groups] = call.params();
    let [jumps, selectors, starts] = call.buffers();
    let mut known = starts[groups as usize + 1] as usize;
    while known < groups as usize && starts[known] < first + positions {
        let at = selectors[known] * positions + starts[known] - first;
        let jump = half(jumps, at as usize);
        starts[known + 1] = if jump == 0 { NOWHERE } else { starts[known] + jump };
        known += 1;
    }
    starts[groups as usize + 1] = known as u32;
}
