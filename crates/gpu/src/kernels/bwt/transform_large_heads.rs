//! Twin of the kernel: finds which of the sorted rotations differ from the one before, in their key or
//! in the rank ahead.

use super::set_bit;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per rotation, and one more.
    transform_large_heads, workgroup 64, params [listed, rotations, ahead],
    bindings [Read, Read, Gather, Read, Fill, Write]
);

fn transform_large_heads(call: &mut Call<'_>) {
    let [listed, rotations, ahead] = call.params();
    let [keys, places, ranks, rows, heads, row_heads] = call.buffers();
    let both = |own: usize| (keys[own], ranks[((places[own] + ahead) % rotations) as usize]);
    for (own, head) in heads[..listed as usize].iter_mut().enumerate() {
        let is_head = own == 0 || both(own) != both(own - 1);
        *head = u32::from(is_head);
        if is_head {
            set_bit(row_heads, rows[own] as usize);
        }
    }
    heads[listed as usize] = 0;
}
