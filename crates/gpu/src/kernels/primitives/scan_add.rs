//! Twin of the kernel: adds to each word the sum of the tiles of 4,096 words before its own.

use super::scan_tiles::TILE;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per word.
    scan_add, workgroup 64, params [words], bindings [Write, Read]
);

fn scan_add(call: &mut Call<'_>) {
    let [words] = call.params();
    let [data, tile_starts] = call.buffers();
    for (at, word) in data[..words as usize].iter_mut().enumerate() {
        *word = word.wrapping_add(tile_starts[at / TILE]);
    }
}
