//! Twin of the kernel: sorts the rotations of each small group in the memory of one workgroup.

use super::transform_large_find::LARGEST_GROUP;
use super::{groups, has_bit, set_bit};
use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup per tile.
    transform_small_sort, workgroup 256, params [rotations, rounds, ahead, step],
    bindings [Read, Sparse, SparseWrite, Write, Write]
);

/// The number of counters.
pub(crate) const COUNTS: usize = 5;
/// Rows in a tile.
pub(crate) const TILE: usize = 512;

fn transform_small_sort(call: &mut Call<'_>) {
    let [rotations, rounds, ahead, step] = call.params();
    let [heads, source, order, new_heads, counts] = call.buffers();
    new_heads.iter_mut().zip(heads.iter()).for_each(|(new, old)| *new |= old);
    let mut tied: Vec<_> = groups(heads, rotations as usize)
        .filter(|group| (2..=LARGEST_GROUP).contains(&group.len()))
        .collect();
    let rows = |tied: &[std::ops::Range<usize>]| tied.iter().map(|group| group.len() as u32).sum();
    let before: u32 = rows(&tied);
    counts[0] += before;
    let all = tied.clone();
    let order_before = order.to_vec();
    for round in 0..rounds {
        let looked_at: u32 = rows(&tied);
        counts[1] += looked_at;
        let ahead = (ahead + round * step) % rotations;
        let key = |place: &u32| source[((place + ahead) % rotations) as usize];
        for group in std::mem::take(&mut tied) {
            order[group.clone()].sort_by_key(key);
            let mut begin = group.start;
            for equal in order[group].chunk_by(|a, b| key(a) == key(b)) {
                set_bit(new_heads, begin);
                if equal.len() > 1 {
                    tied.push(begin..begin + equal.len());
                }
                begin += equal.len();
            }
        }
    }
    let after: u32 = rows(&tied);
    counts[2] += after;
    for group in all {
        let mut head = group.start;
        for row in group.clone() {
            counts[3] += u32::from(order[row] != order_before[row]);
            if has_bit(new_heads, row) {
                head = row;
            }
            counts[4] += u32::from(head != group.start);
        }
    }
}
