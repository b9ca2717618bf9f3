//! Bottom-up: how many words each row stands for, and how many threads its symbols need.

use super::packed::Packed;
use super::tables::units_for;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    measure, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits, has_units
    ],
    bindings [Read, Read, Read, Write, Write]
);

/// Counting stops here.
pub(super) const MOST: u32 = i32::MAX as u32;

fn measure(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, _, _, _, base, bits, has_units] = call.params();
    let visits = call.visits();
    let [steps, row_starts, words, lengths, units] = call.buffers();
    let symbols = Packed { words, bits, base };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let body = super::body(row_starts, symbols, row, visits);
        let mut length = 0u32;
        for (at, symbol) in body {
            let more = match symbol.checked_sub(tokens) {
                Some(child) if child < rows => lengths[child as usize],
                Some(_) => 0,
                None => 1,
            };
            length = (length + more).min(MOST);
            if has_units != 0 {
                units[at as usize] = units_for(more);
            }
        }
        lengths[row as usize] = length;
    }
}
