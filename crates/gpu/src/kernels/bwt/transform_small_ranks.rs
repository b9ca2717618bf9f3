//! Twin of the kernel: sets the rank of each rotation in a small group to the row of the group's head.

use super::transform_large_find::LARGEST_GROUP;
use super::{groups, has_bit};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per row.
    transform_small_ranks, workgroup 64, params [rotations, are_all],
    bindings [Read, Read, Sparse, SparseWrite]
);

fn transform_small_ranks(call: &mut Call<'_>) {
    let [rotations, are_all] = call.params();
    let [old_heads, heads, order, ranks] = call.buffers();
    let small = groups(heads, rotations as usize).filter(|group| group.len() <= LARGEST_GROUP);
    for group in small {
        let head = group.start as u32;
        if are_all == 1 || !has_bit(old_heads, group.start) {
            group.for_each(|row| ranks[order[row] as usize] = head);
        }
    }
}
