//! Twin of the kernel: decodes the symbols of groups, up to the end symbol or to bits that are no code;
//! from there on the result is NONE.

use super::coded::{Coded, NONE};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per group.
    huffman_decode_symbols, workgroup 64, params [bits, groups, group, symbols, end, table_words],
    bindings [Read, Read, Read, Read, Write]
);

fn huffman_decode_symbols(call: &mut Call<'_>) {
    let [bits, groups, group, count, end, table_words] = call.params();
    let [coded, tables, selectors, starts, symbols] = call.buffers();
    let coded = Coded { bits: coded, tables, table_words };
    for own in 0..groups as usize {
        let mut at = starts[own];
        let mut is_open = own as u32 <= starts[groups as usize + 1];
        let first = own as u32 * group;
        for place in first..(first + group).min(count) {
            let is_there = is_open && at < bits;
            let found = is_there.then(|| coded.find(selectors[own], at)).flatten();
            let found = found.filter(|(_, length)| at + length <= bits);
            is_open = found.is_some_and(|(symbol, _)| symbol != end);
            at += found.map_or(0, |(_, length)| length);
            symbols[place as usize] = found.map_or(NONE, |(symbol, _)| symbol);
        }
        symbols[count as usize + own] = at;
    }
}
