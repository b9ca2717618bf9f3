//! Lists the rotations that are still tied, and their rows.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a rotation.
    keep_ties, workgroup 64, params [listed], bindings [Read, Read, Read, Scatter, Scatter]
);

fn keep_ties(call: &mut Call<'_>) {
    let [listed] = call.params();
    let [numbers, places, rows, tied_places, tied_rows] = call.buffers();
    for own in (0..listed as usize).filter(|&own| numbers[own + 1] != numbers[own]) {
        tied_places[numbers[own] as usize] = places[own];
        tied_rows[numbers[own] as usize] = rows[own];
    }
}
