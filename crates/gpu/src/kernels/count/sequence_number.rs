//! Twin of the kernel: replaces the name of each occurrence by the number of its sequence.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per occurrence.
    sequence_number, workgroup 64, params [occurrences], bindings [Read, Write]
);

fn sequence_number(call: &mut Call<'_>) {
    let [count] = call.params();
    let [ranks, names] = call.buffers();
    for name in names[..count as usize].iter_mut().filter(|name| **name < count) {
        *name = ranks[*name as usize];
    }
}
