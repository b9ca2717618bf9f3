//! Twin of the kernel: hides the small groups in the head bits.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per word of bits.
    transform_small_hide, workgroup 64, params [words], bindings [Read, Write, Fill]
);

fn transform_small_hide(call: &mut Call<'_>) {
    let [words] = call.params();
    let [large, heads, aside] = call.buffers();
    for word in 0..words as usize {
        aside[word] = heads[word] | large[word];
        heads[word] |= !large[word];
    }
}
