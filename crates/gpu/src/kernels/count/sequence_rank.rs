//! Twin of the kernel: stores the position of each listed occurrence in the sorted list.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per sequence.
    sequence_rank, workgroup 64, params [sequences], bindings [Read, Write]
);

fn sequence_rank(call: &mut Call<'_>) {
    let [count] = call.params();
    let [list, ranks] = call.buffers();
    for own in 0..count {
        ranks[list[own as usize] as usize] = own;
    }
}
