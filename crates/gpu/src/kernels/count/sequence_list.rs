//! Twin of the kernel: lists one occurrence per sequence, the one that represents it.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per occurrence.
    sequence_list, workgroup 64, params [occurrences], bindings [Read, Read, Write]
);

fn sequence_list(call: &mut Call<'_>) {
    let [count] = call.params();
    let [names, places, list] = call.buffers();
    for own in (0..count).filter(|&own| names[own as usize] == own) {
        list[places[own as usize] as usize] = own;
    }
}
