//! Which rotations are still tied with others, and the row of each group's first.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a rotation, and one more.
    ties, workgroup 64, params [listed], bindings [Read, Read, Scatter, Fill]
);

fn ties(call: &mut Call<'_>) {
    let [listed] = call.params();
    let [numbers, rows, head_rows, ties] = call.buffers();
    let listed = listed as usize;
    let is_head = |own: usize| own >= listed || numbers[own + 1] != numbers[own];
    for own in 0..listed {
        if is_head(own) {
            head_rows[numbers[own] as usize] = rows[own];
        }
        ties[own] = u32::from(!is_head(own) || !is_head(own + 1));
    }
    ties[listed] = 0;
}
