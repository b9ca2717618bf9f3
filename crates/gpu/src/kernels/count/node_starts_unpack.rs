//! Twin of the kernel: widens 16-bit numbers, two per word, to words.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per number.
    node_starts_unpack, workgroup 64, params [numbers], bindings [Read, Fill]
);

/// Packs numbers for the kernel.
pub(crate) fn pack(numbers: &[u16]) -> Vec<u32> {
    let number = |pair: &[u16], at: usize| u32::from(pair.get(at).copied().unwrap_or(0));
    numbers.chunks(2).map(|pair| number(pair, 0) | number(pair, 1) << 16).collect()
}

fn node_starts_unpack(call: &mut Call<'_>) {
    let [numbers] = call.params();
    let [packed, words] = call.buffers();
    for at in 0..numbers as usize {
        words[at] = crate::kernels::half(packed, at);
    }
}
