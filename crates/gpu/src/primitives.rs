//! Sums and sorting of any length, as dispatches of kernels.

use crate::kernels::primitives::{radix_count, radix_scatter, scan_add, scan_tiles};
use crate::recording::{Buffer, Recording};

impl Recording {
    /// Replaces the first `words` words by their exclusive sums, which must stay below 2^32. If the last
    /// of these words is zero, it becomes the total.
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

    /// Creates the buffers to sort `count` keys by their lowest `bits` bits.
    pub fn sorter(&mut self, count: usize, bits: u32) -> Sorter {
        let keys = self.buffer("sorted_keys", count);
        let payload = self.buffer("sorted_payload", count);
        self.sorter_with(count, bits, (keys, payload))
    }

    fn sorter_with(&mut self, count: usize, bits: u32, (keys, payload): Pair) -> Sorter {
        let tiles = count.div_ceil(radix_count::TILE);
        let passes = bits.div_ceil(8);
        let digit_bits = bits.div_ceil(passes.max(1));
        let places = self.buffer("places", tiles << digit_bits);
        Sorter { count, passes, digit_bits, places, keys, payload }
    }
}

/// Keys and payloads.
type Pair = (Buffer, Buffer);

/// The buffers that sorting needs besides keys. They can be used for several lists of the same length.
#[derive(Clone, Copy, Debug)]
pub struct Sorter {
    count: usize,
    passes: u32,
    digit_bits: u32,
    places: Buffer,
    keys: Buffer,
    payload: Buffer,
}

impl Sorter {
    /// Sorts keys with their payloads. The sort is stable, so keys of several words are sorted by low
    /// words first and high words last.
    pub fn sort(&self, recording: &mut Recording, keys: Buffer, payload: Buffer) {
        let sorted = self.sort_away(recording, (keys, payload), (self.keys, self.payload));
        if sorted.0 != keys {
            recording.copy(sorted.0, 0..self.count, keys, 0);
            recording.copy(sorted.1, 0..self.count, payload, 0);
        }
    }

    /// Sorts twice, by keys of this many bits and then by keys of `bits` bits. `make_keys` computes the
    /// keys from the payloads before each sort. Returns the buffers with the result, either these or the
    /// given ones, so that nothing is copied.
    pub fn sort_twice(
        &self,
        recording: &mut Recording,
        bits: u32,
        own: Pair,
        mut make_keys: impl FnMut(&mut Recording, usize, Pair),
    ) -> Pair {
        let spare = (self.keys, self.payload);
        make_keys(recording, 0, own);
        let sorted = self.sort_away(recording, own, spare);
        let other = if sorted == own { spare } else { own };
        make_keys(recording, 1, sorted);
        let second = recording.sorter_with(self.count, bits, other);
        let sorted = second.sort_away(recording, sorted, other);
        recording.free(second.places);
        sorted
    }

    /// Sorts keys and payloads, each pass from one pair of buffers to the other. Returns the pair with
    /// the result.
    fn sort_away(&self, recording: &mut Recording, mut from: Pair, mut to: Pair) -> Pair {
        let Self { count, passes, digit_bits, places, .. } = *self;
        let tiles = count.div_ceil(radix_count::TILE);
        let threads = tiles * radix_count::KERNEL.workgroup as usize;
        for pass in 0..passes {
            let params = [count as u32, pass * digit_bits, 1 << digit_bits, tiles as u32];
            let [from_keys, from_payload] = [from.0, from.1].map(|buffer| buffer.part(0..count));
            let [to_keys, to_payload] = [to.0, to.1].map(|buffer| buffer.part(0..count));
            let counted = [from_keys, places.into()];
            recording.dispatch(&radix_count::KERNEL, threads, &params, &counted);
            recording.scan(places, tiles << digit_bits);
            let moved = [from_keys, from_payload, places.into(), to_keys, to_payload];
            recording.dispatch(&radix_scatter::KERNEL, threads, &params, &moved);
            std::mem::swap(&mut from, &mut to);
        }
        from
    }

    /// Frees its buffers.
    pub fn free(self, recording: &mut Recording) {
        for buffer in [self.places, self.keys, self.payload] {
            recording.free(buffer);
        }
    }
}
