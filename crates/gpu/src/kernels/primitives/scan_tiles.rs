//! Twin of the kernel: computes exclusive sums within tiles of 4,096 words, and the sum of each tile.

use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup per tile.
    scan_tiles, workgroup 256, params [words], bindings [Write, Fill]
);

/// Words in a tile.
pub(crate) const TILE: usize = 4096;

fn scan_tiles(call: &mut Call<'_>) {
    let [words] = call.params();
    let [data, tile_sums] = call.buffers();
    for (tile, sum) in data[..words as usize].chunks_mut(TILE).zip(tile_sums) {
        *sum = 0;
        for word in tile {
            let value = std::mem::replace(word, *sum);
            *sum = sum.wrapping_add(value);
        }
    }
}
