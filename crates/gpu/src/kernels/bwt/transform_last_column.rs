//! Twin of the kernel: computes the last symbols of sorted rotations, four per word.

use super::{byte_of, or_byte};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per word.
    transform_last_column, workgroup 64, params [rotations], bindings [Read, Read, Fill]
);

fn transform_last_column(call: &mut Call<'_>) {
    let [rotations] = call.params();
    let [order, text, column] = call.buffers();
    let rotations = rotations as usize;
    column[..rotations.div_ceil(4)].fill(0);
    for (row, &place) in order[..rotations].iter().enumerate() {
        let before = (place as usize + rotations - 1) % rotations;
        or_byte(column, row, byte_of(text, before));
    }
}
