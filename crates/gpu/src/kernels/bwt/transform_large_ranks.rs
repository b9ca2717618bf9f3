//! Twin of the kernel: sets the rank of each listed rotation to the row of its group's head, and stores
//! the rotation in its row.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per rotation.
    transform_large_ranks, workgroup 64, params [listed], bindings [Read, Read, Read, Read, Scatter, Scatter]
);

fn transform_large_ranks(call: &mut Call<'_>) {
    let [listed] = call.params();
    let [numbers, head_rows, places, rows, ranks, order] = call.buffers();
    for own in 0..listed as usize {
        ranks[places[own] as usize] = head_rows[numbers[own + 1] as usize - 1];
        order[rows[own] as usize] = places[own];
    }
}
