//! Twin of the kernel: computes the sort key of each listed rotation.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per rotation.
    transform_large_keys, workgroup 64, params [listed, rotations, ahead, unit],
    bindings [Gather, Read, Fill]
);

fn transform_large_keys(call: &mut Call<'_>) {
    let [listed, rotations, ahead, unit] = call.params();
    let [ranks, places, keys] = call.buffers();
    for (key, place) in keys.iter_mut().zip(&places[..listed as usize]) {
        *key = ranks[((place + ahead) % rotations) as usize] / unit;
    }
}
