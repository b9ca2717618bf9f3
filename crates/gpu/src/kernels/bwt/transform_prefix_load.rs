//! Twin of the kernel: loads the first four bytes of each rotation of a text.

use super::byte_of;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per rotation.
    transform_prefix_load, workgroup 64, params [rotations], bindings [Read, Fill]
);

fn transform_prefix_load(call: &mut Call<'_>) {
    let [count] = call.params();
    let [text, prefixes] = call.buffers();
    for own in 0..count as usize {
        let bytes = (own..own + 4).map(|at| byte_of(text, at % count as usize));
        prefixes[own] = bytes.fold(0, |prefix, byte| prefix << 8 | byte);
    }
}
