//! Twin of the kernel: counts how often each symbol occurs (section 2.3.1).

use crate::kernel::{Call, kernel};
use crate::kernels::half;

kernel!(
    /// One workgroup per 4,096 symbols.
    huffman_histogram, workgroup 256, params [symbols, alphabet], bindings [Read, Write]
);

/// The symbols of a thread.
pub(crate) const PER_THREAD: usize = 16;
/// The most symbols of an alphabet.
pub(crate) const MAX_ALPHABET: usize = 2048;

fn huffman_histogram(call: &mut Call<'_>) {
    let [count, _] = call.params();
    let [symbols, counts] = call.buffers();
    for at in 0..count as usize {
        counts[half(symbols, at) as usize] += 1;
    }
}
