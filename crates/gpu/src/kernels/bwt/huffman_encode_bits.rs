//! Twin of the kernel: computes the number of code bits of each 16 symbols, with a zero at the end for
//! the total.

use crate::kernel::{Call, kernel};
use crate::kernels::half;

kernel!(
    /// One thread per stretch, and one more.
    huffman_encode_bits, workgroup 64, params [symbols, group, alphabet],
    bindings [Read, Read, Read, Fill]
);

/// The symbols of a thread, as in `shared/codes.wgsl`.
pub(crate) const STRETCH: usize = 16;
/// The bits of a code's word that hold its length; the code is above them. As in `shared/codes.wgsl`.
pub(crate) const LENGTH_BITS: u32 = 5;

/// The codes of some symbols, with their lengths.
pub(super) fn codes_of(
    count: u32,
    symbols: &[u32],
    selectors: &[u32],
    codes: &[u32],
    group: u32,
    alphabet: u32,
) -> Vec<(u32, u32)> {
    let word = |at: u32| {
        let table = selectors[(at / group) as usize];
        codes[(table * alphabet + half(symbols, at as usize)) as usize]
    };
    let split = |word: u32| (word >> LENGTH_BITS, word & ((1 << LENGTH_BITS) - 1));
    (0..count).map(|at| split(word(at))).collect()
}

fn huffman_encode_bits(call: &mut Call<'_>) {
    let [count, group, alphabet] = call.params();
    let [symbols, selectors, codes, bits] = call.buffers();
    let all = codes_of(count, symbols, selectors, codes, group, alphabet);
    bits.fill(0);
    for (bits, stretch) in bits.iter_mut().zip(all.chunks(STRETCH)) {
        *bits = stretch.iter().map(|&(_, length)| length).sum();
    }
}
