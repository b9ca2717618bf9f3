//! The first ranks of the rotations of a text, and all rotations as a list.

use super::byte_of;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a rotation.
    rotations, workgroup 64, params [rotations], bindings [Read, Fill, Fill, Fill]
);

fn rotations(call: &mut Call<'_>) {
    let [count] = call.params();
    let [text, ranks, places, rows] = call.buffers();
    for own in 0..count as usize {
        let bytes = (own..own + 4).map(|at| byte_of(text, at % count as usize));
        ranks[own] = bytes.fold(0, |rank, byte| rank << 8 | byte);
        places[own] = own as u32;
        rows[own] = own as u32;
    }
}
