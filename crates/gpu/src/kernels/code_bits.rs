//! How many bits the code of each symbol has.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a symbol, and one more.
    code_bits, workgroup 64, params [symbols, group, alphabet],
    bindings [Read, Read, Read, Fill]
);

/// Bits of a code's word that are its length; the code is above them. As in `shared/codes.wgsl`.
pub(crate) const LENGTH_BITS: u32 = 5;

/// The codes of symbols, with their lengths.
pub(super) fn codes_of<'s>(
    symbols: &'s [u32],
    selectors: &'s [u32],
    codes: &'s [u32],
    group: u32,
    alphabet: u32,
) -> impl Iterator<Item = (u32, u32)> + 's {
    let tables = symbols.chunks(group as usize).zip(selectors);
    let tables = tables.map(move |(group, table)| (group, &codes[(table * alphabet) as usize..]));
    let words = tables.flat_map(|(group, codes)| group.iter().map(|&s| codes[s as usize]));
    words.map(|word| (word >> LENGTH_BITS, word & ((1 << LENGTH_BITS) - 1)))
}

fn code_bits(call: &mut Call<'_>) {
    let [count, group, alphabet] = call.params();
    let [symbols, selectors, codes, bits] = call.buffers();
    let all = codes_of(&symbols[..count as usize], selectors, codes, group, alphabet);
    for (bits, (_, length)) in bits.iter_mut().zip(all) {
        *bits = length;
    }
    bits[count as usize] = 0;
}
