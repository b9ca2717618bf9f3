//! Twin of the kernel: finds the rows that are tied with more than LARGEST_GROUP others.

use super::{groups, set_bit};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per row.
    transform_large_find, workgroup 256, params [rotations], bindings [Read, Fill, Fill]
);

/// The most rows of a small group, as in `shared/groups.wgsl`.
pub(crate) const LARGEST_GROUP: usize = 1024;

fn transform_large_find(call: &mut Call<'_>) {
    let [rotations] = call.params();
    let [heads, large, counts] = call.buffers();
    large.fill(0);
    for group in groups(heads, rotations as usize).filter(|group| group.len() > LARGEST_GROUP) {
        group.for_each(|row| set_bit(large, row));
    }
    counts[large.len()] = 0;
    for (count, bits) in counts.iter_mut().zip(large) {
        *count = bits.count_ones();
    }
}
