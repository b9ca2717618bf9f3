//! Twin of the kernel: computes the bytes of each chunk of coded symbols, from the sums of bits of each
//! 16 symbols, with a zero at the end.

use super::huffman_encode_bits::STRETCH;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per chunk, and one more.
    huffman_encode_chunk_sizes, workgroup 64, params [symbols, chunk, chunks], bindings [Read, Fill]
);

fn huffman_encode_chunk_sizes(call: &mut Call<'_>) {
    let [symbols, chunk, chunks] = call.params();
    let [sums, sizes] = call.buffers();
    for own in 0..chunks {
        let (first, end) = (own * chunk, symbols.min((own + 1) * chunk));
        let [first, end] = [first, end].map(|at| sums[(at as usize).div_ceil(STRETCH)]);
        sizes[own as usize] = (end - first).div_ceil(8);
    }
    sizes[chunks as usize] = 0;
}
