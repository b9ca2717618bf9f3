//! Twin of the kernel: lists the rows of large groups.

use super::has_bit;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per row.
    transform_large_list, workgroup 64, params [rotations],
    bindings [Read, Read, Read, Sparse, Fill, Fill, Fill]
);

fn transform_large_list(call: &mut Call<'_>) {
    let [rotations] = call.params();
    let [large, _, heads, order, places, rows, listed_heads] = call.buffers();
    let listed = (0..rotations as usize).filter(|&row| has_bit(large, row));
    for (at, row) in listed.enumerate() {
        places[at] = order[row];
        rows[at] = row as u32;
        listed_heads[at] = u32::from(has_bit(heads, row));
    }
    listed_heads[places.len()] = 0;
}
