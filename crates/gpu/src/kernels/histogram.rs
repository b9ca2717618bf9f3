//! How often each symbol stands in a text of symbols.

use crate::kernel::{Call, kernel};

kernel!(
    /// One workgroup 4,096 symbols.
    histogram, workgroup 256, params [symbols, alphabet], bindings [Read, Write]
);

/// Symbols that a thread counts.
pub(crate) const PER_THREAD: usize = 16;
/// The most symbols of an alphabet.
pub(crate) const MAX_ALPHABET: usize = 2048;

fn histogram(call: &mut Call<'_>) {
    let [count, _] = call.params();
    let [symbols, counts] = call.buffers();
    for &symbol in &symbols[..count as usize] {
        counts[symbol as usize] += 1;
    }
}
