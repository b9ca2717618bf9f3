//! Twin of the kernel: counts how often each digit occurs in each tile of 4,096 keys.

use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup per tile.
    radix_count, workgroup 256, params [keys, shift, digits, tiles], bindings [Read, Fill]
);

/// Keys in a tile.
pub(crate) const TILE: usize = 4096;

fn radix_count(call: &mut Call<'_>) {
    let [keys, shift, digits, tiles] = call.params();
    let [all, places] = call.buffers();
    places[..(digits * tiles) as usize].fill(0);
    for (at, key) in all[..keys as usize].iter().enumerate() {
        let digit = (key >> shift) & (digits - 1);
        places[digit as usize * tiles as usize + at / TILE] += 1;
    }
}
