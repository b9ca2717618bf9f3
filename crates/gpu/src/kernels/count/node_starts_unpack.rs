//! Numbers of 16 bits, two to a word, become words.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a number.
    node_starts_unpack, workgroup 64, params [numbers], bindings [Read, Fill]
);

/// Numbers as the kernel wants them.
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
