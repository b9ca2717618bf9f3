//! The name of each occurrence becomes the rank of its sequence.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread an occurrence.
    sequence_number, workgroup 64, params [occurrences], bindings [Read, Write]
);

fn sequence_number(call: &mut Call<'_>) {
    let [count] = call.params();
    let [ranks, names] = call.buffers();
    for name in names[..count as usize].iter_mut().filter(|name| **name < count) {
        *name = ranks[*name as usize];
    }
}
