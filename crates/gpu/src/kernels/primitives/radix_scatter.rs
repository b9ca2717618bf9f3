//! Twin of the kernel: moves keys and payloads to their places by one digit.

use super::radix_count::TILE;
use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup per tile.
    radix_scatter, workgroup 256, params [keys, shift, digits, tiles],
    bindings [Read, Read, Read, Fill, Fill]
);

fn radix_scatter(call: &mut Call<'_>) {
    let [count, shift, digits, tiles] = call.params();
    let [keys, payload, places, sorted_keys, sorted_payload] = call.buffers();
    let mut next = places.to_vec();
    for at in 0..count as usize {
        let digit = (keys[at] >> shift) & (digits - 1);
        let place = &mut next[digit as usize * tiles as usize + at / TILE];
        sorted_keys[*place as usize] = keys[at];
        sorted_payload[*place as usize] = payload[at];
        *place += 1;
    }
}
