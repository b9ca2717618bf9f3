//! Walks from starts along the list of rows, and measures how far it is to the next one.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a walk.
    inverse_walk_measure, workgroup 64, params [walks, first, steps], bindings [Read, Write, Write]
);

/// Rows of which one is a start, as in `shared/walks.wgsl`.
pub(crate) const STRETCH: u32 = 256;
/// What a walk that has ended has in place of a row, with the number of the walk that goes on.
pub(crate) const ENDED: u32 = 1 << 31;
/// The row that a link leads to; above it is the symbol that is passed.
pub(crate) const ROW: u32 = (1 << 24) - 1;

/// The start in a stretch.
pub(crate) fn start_of(stretch: u32) -> u32 {
    stretch * STRETCH + crate::kernels::mix(stretch) % STRETCH
}

/// Takes a step: the symbol that is passed, and the next row, or where the walk has ended.
pub(super) fn step(links: &[u32], row: u32, walks: u32, first: u32) -> (u32, u32) {
    let link = links[row as usize];
    let next = link & ROW;
    let next = match next {
        _ if next == first => ENDED | (walks - 1),
        _ if next == start_of(next / STRETCH) => ENDED | (next / STRETCH),
        _ => next,
    };
    (link >> 24, next)
}

fn inverse_walk_measure(call: &mut Call<'_>) {
    let [walks, first, steps] = call.params();
    let [links, at, lengths] = call.buffers();
    for (row, length) in at.iter_mut().zip(lengths).take(walks as usize) {
        for _ in 0..steps {
            if *row >= ENDED {
                break;
            }
            *row = step(links, *row, walks, first).1;
            *length += 1;
        }
    }
}
