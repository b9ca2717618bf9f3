//! Twin of the kernel: walks from starts along the list of rows, to the next start or for `steps`
//! steps, and measures the length.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per walk.
    inverse_walk_measure, workgroup 64, params [walks, first, steps], bindings [Read, Write, Write]
);

/// The rows of a stretch, which has one start; as in `shared/walks.wgsl`.
pub(crate) const STRETCH: u32 = 256;
/// Marks a walk that has ended. The other bits are the number of the walk that continues.
pub(crate) const ENDED: u32 = 1 << 31;
/// The next row of a link. Above it is the symbol on the way.
pub(crate) const ROW: u32 = (1 << 24) - 1;

/// The start in a stretch.
pub(crate) fn start_of(stretch: u32) -> u32 {
    stretch * STRETCH + crate::kernels::mix(stretch) % STRETCH
}

/// Makes a step. Returns the symbol on the way, and the next row or where the walk has ended.
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
