//! Takes groups that were set aside back into the bits of heads.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a word of bits.
    transform_small_restore, workgroup 64, params [words], bindings [Read, Write]
);

fn transform_small_restore(call: &mut Call<'_>) {
    let [words] = call.params();
    let [aside, heads] = call.buffers();
    for word in 0..words as usize {
        heads[word] &= aside[word];
    }
}
