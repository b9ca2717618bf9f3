//! How many slots each row's table of items gets.

use super::tables::slots_for;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    content_sizes, workgroup 64, params [rows, items, span, grow], bindings [Read, Write, Write]
);

fn content_sizes(call: &mut Call<'_>) {
    let [rows, items, span, grow] = call.params();
    let [lengths, sizes, state] = call.buffers();
    let mut sum = u64::from(state[1]) | u64::from(state[2]) << 32;
    for row in 0..rows as usize {
        sizes[row] = slots_for(lengths[row].saturating_sub(span).min(items), items, grow);
        sum += u64::from(sizes[row]);
    }
    (state[1], state[2]) = (sum as u32, (sum >> 32) as u32);
}
