//! Twin of the kernel: restores the head bits of the groups that `transform_small_hide` has hidden.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per word of bits.
    transform_small_restore, workgroup 64, params [words], bindings [Read, Write]
);

fn transform_small_restore(call: &mut Call<'_>) {
    let [words] = call.params();
    let [aside, heads] = call.buffers();
    for word in 0..words as usize {
        heads[word] &= aside[word];
    }
}
