//! Twin of the kernel: stores the row of the head of each listed group.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per rotation.
    transform_large_head_rows, workgroup 64, params [listed], bindings [Read, Read, Scatter]
);

fn transform_large_head_rows(call: &mut Call<'_>) {
    let [listed] = call.params();
    let [numbers, rows, head_rows] = call.buffers();
    for own in (0..listed as usize).filter(|&own| numbers[own + 1] != numbers[own]) {
        head_rows[numbers[own] as usize] = rows[own];
    }
}
