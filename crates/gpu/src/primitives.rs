//! Sums and sorting of any length, as dispatches of kernels.

use crate::kernels::{radix_count, radix_scatter, scan_add, scan_tiles};
use crate::recording::{Buffer, Recording};

impl Recording {
    /// Replaces the first `words` words by their exclusive sums, which must stay below 2^32. A word
    /// after them, if it is counted in and zero, becomes the total.
    pub fn scan(&mut self, data: Buffer, words: usize) {
        let tiles = words.div_ceil(scan_tiles::TILE);
        let sums = self.buffer("tile_sums", tiles);
        self.dispatch(
            &scan_tiles::KERNEL,
            tiles * scan_tiles::KERNEL.workgroup as usize,
            &[words as u32],
            &[data.into(), sums.into()],
        );
        if tiles > 1 {
            self.scan(sums, tiles);
            self.dispatch(&scan_add::KERNEL, words, &[words as u32], &[data.into(), sums.into()]);
        }
        self.free(sums);
    }

    /// Sorts `count` keys by their lowest `bits` bits, with what belongs to each, equal ones in
    /// their order. Sorting by low words first and high words then sorts keys of several words.
    pub fn sort(&mut self, keys: Buffer, payload: Buffer, count: usize, bits: u32) {
        if count < 2 || bits == 0 {
            return;
        }
        let tiles = count.div_ceil(radix_count::TILE);
        let passes = bits.div_ceil(8);
        let digit_bits = bits.div_ceil(passes);
        let digits = 1u32 << digit_bits;
        let places_len = digits as usize * tiles;
        let places = self.buffer("places", places_len);
        let other_keys = self.buffer("sorted_keys", count);
        let other_payload = self.buffer("sorted_payload", count);
        let (mut from, mut to) = ((keys, payload), (other_keys, other_payload));
        let threads = tiles * radix_count::TILE;
        for pass in 0..passes {
            let params = [count as u32, pass * digit_bits, digits, tiles as u32];
            let counted = [from.0.into(), places.into()];
            self.dispatch(&radix_count::KERNEL, threads, &params, &counted);
            self.scan(places, places_len);
            let moved = [from.0.into(), from.1.into(), places.into(), to.0.into(), to.1.into()];
            self.dispatch(&radix_scatter::KERNEL, threads, &params, &moved);
            std::mem::swap(&mut from, &mut to);
        }
        if from.0 != keys {
            self.copy(from.0, 0..count, keys, 0);
            self.copy(from.1, 0..count, payload, 0);
        }
        for buffer in [places, other_keys, other_payload] {
            self.free(buffer);
        }
    }
}
