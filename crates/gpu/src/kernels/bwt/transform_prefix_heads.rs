//! Twin of the kernel: sets a bit for each row whose prefix differs from that of the row before, and
//! one bit after the last row.

use super::set_bit;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per row, and one more.
    transform_prefix_heads, workgroup 256, params [rotations], bindings [Read, Gather, Fill]
);

fn transform_prefix_heads(call: &mut Call<'_>) {
    let [rotations] = call.params();
    let [order, prefixes, heads] = call.buffers();
    let rotations = rotations as usize;
    heads.fill(0);
    let prefix = |row: usize| prefixes[order[row] as usize];
    for row in (0..rotations).filter(|&row| row == 0 || prefix(row) != prefix(row - 1)) {
        set_bit(heads, row);
    }
    set_bit(heads, rotations);
}
