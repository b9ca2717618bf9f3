//! Twin of the kernel: writes codes, the first bit in the highest bit of a word.

use super::huffman_encode_bits::{STRETCH, codes_of};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per stretch of symbols.
    huffman_encode_write, workgroup 64, params [symbols, group, alphabet, chunk],
    bindings [Read, Read, Read, Read, Read, Write]
);

fn huffman_encode_write(call: &mut Call<'_>) {
    let [count, group, alphabet, chunk] = call.params();
    let [symbols, selectors, codes, sums, chunk_starts, coded] = call.buffers();
    let all = codes_of(count, symbols, selectors, codes, group, alphabet);
    for (own, stretch) in all.chunks(STRETCH).enumerate() {
        let number = own * STRETCH / chunk as usize;
        let first = number * chunk as usize / STRETCH;
        let mut bit = 8 * chunk_starts[number] + sums[own] - sums[first];
        for &(code, length) in stretch {
            for place in 0..length {
                let to = bit + place;
                coded[to as usize / 32] |= (code >> (length - 1 - place) & 1) << (31 - to % 32);
            }
            bit += length;
        }
    }
}
