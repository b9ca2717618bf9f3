//! Twin of the kernel: moves rotations to their places by one byte.

use crate::kernel::{Call, kernel};
use crate::kernels::primitives::radix_count::TILE;

kernel!(
    /// One workgroup per tile.
    transform_prefix_scatter, workgroup 256, params [rotations, tiles, is_first, shift],
    bindings [Read, Gather, Read, Fill]
);

/// The bits of a word that hold the start of a rotation.
pub(crate) const PLACE_BITS: u32 = 24;

fn transform_prefix_scatter(call: &mut Call<'_>) {
    let [rotations, tiles, is_first, shift] = call.params();
    let [words, prefixes, places, moved] = call.buffers();
    let mut next = places.to_vec();
    for (at, &word) in words[..rotations as usize].iter().enumerate() {
        let (place, byte, prefix) = match is_first {
            1 => (at as u32, word & 0xff, Some(word)),
            _ => {
                let place = word & ((1 << PLACE_BITS) - 1);
                let prefix = (shift < 32).then(|| prefixes[place as usize]);
                (place, word >> PLACE_BITS, prefix)
            }
        };
        let after = prefix.map_or(0, |prefix| (prefix >> shift & 0xff) << PLACE_BITS);
        let to = &mut next[byte as usize * tiles as usize + at / TILE];
        moved[*to as usize] = place | after;
        *to += 1;
    }
}
