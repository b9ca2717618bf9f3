//! Writes the codes of symbols.

use super::code_bits::codes_of;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a symbol.
    put_codes, workgroup 64, params [symbols, group, alphabet, chunk],
    bindings [Read, Read, Read, Read, Read, Write]
);

fn put_codes(call: &mut Call<'_>) {
    let [count, group, alphabet, chunk] = call.params();
    let [symbols, selectors, codes, sums, chunk_starts, coded] = call.buffers();
    let all = codes_of(&symbols[..count as usize], selectors, codes, group, alphabet);
    for (own, (code, length)) in (0..).zip(all) {
        let first = (own / chunk * chunk) as usize;
        let bit = 8 * chunk_starts[(own / chunk) as usize] + sums[own as usize] - sums[first];
        for place in 0..length {
            let to = bit + place;
            coded[to as usize / 32] |= (code >> (length - 1 - place) & 1) << (31 - to % 32);
        }
    }
}
