//! Where the codes of a window end that begin at its bits.

use super::coded::Coded;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a position.
    code_ends, workgroup 64, params [first, size, bits, table, table_words],
    bindings [Read, Read, Write]
);

fn code_ends(call: &mut Call<'_>) {
    let [first, size, bits, table, table_words] = call.params();
    let [coded, tables, ends] = call.buffers();
    let coded = Coded { bits: coded, tables, table_words };
    for own in 0..=size {
        let found = if own < size { coded.find(table, first + own) } else { None };
        ends[own as usize] = match found {
            Some((_, length)) if first + own + length <= bits => (own + length).min(size),
            _ => size,
        };
    }
}
