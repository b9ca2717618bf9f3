//! Where groups begin that begin in a window.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread.
    group_starts, workgroup 64, params [first, size, turn, groups], bindings [Read, Read, Write]
);

fn group_starts(call: &mut Call<'_>) {
    let [first, size, turn, groups] = call.params();
    let [jumps, selectors, starts] = call.buffers();
    let mut known = starts[groups as usize + 1] as usize;
    while known < groups as usize && starts[known] < first + turn {
        let at = selectors[known] * (size + 1) + starts[known] - first;
        known += 1;
        starts[known] = first + jumps[at as usize];
    }
    starts[groups as usize + 1] = known as u32;
}
