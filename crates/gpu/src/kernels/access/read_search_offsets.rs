//! Twin of the kernel: computes the offsets of matches after insertions.

use super::DONE;
use super::records::Records;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per match.
    read_search_offsets, workgroup 64, params [insertions, slots, units, matches],
    bindings [Read, Read, Read, Write]
);

fn read_search_offsets(call: &mut Call<'_>) {
    let [insertions, slots, unit_count, capacity] = call.params();
    let [units, unit_starts, words, matches] = call.buffers();
    let mut records = Records::new(words, insertions, slots);
    let count = unit_starts[unit_count as usize].min(capacity);
    let starts = &unit_starts[..unit_count as usize];
    for (found, state) in (0..count).zip(matches.chunks_exact_mut(4)) {
        if state[1] == DONE {
            let unit = starts.partition_point(|&start| start <= found) - 1;
            let &[first, seen, end] = &units[8 * unit + 5..8 * unit + 8] else {
                unreachable!("three words")
            };
            state[2] = records.moved_to(first, seen, state[0]);
            state[3] = records.moved_to(seen, end, state[2]);
        }
    }
}
