//! Lengths of rows, two to a word, become words.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    unpack, workgroup 64, params [rows], bindings [Read, Fill]
);

fn unpack(call: &mut Call<'_>) {
    let [rows] = call.params();
    let [packed, lengths] = call.buffers();
    for row in 0..rows as usize {
        lengths[row] = super::symbol_of(packed, row);
    }
}
