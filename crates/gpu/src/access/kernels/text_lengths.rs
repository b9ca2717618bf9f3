//! Bottom-up: how many bytes each row stands for, and how it meets its neighbours.

use super::gap;
use crate::kernel::{Call, kernel};
use crate::kernels::packed::Packed;
use crate::kernels::{body, ranges};

kernel!(
    /// One thread a row.
    text_lengths, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits
    ],
    bindings [Read, Read, Read, Read, Write, Write]
);

/// Counting stops here.
pub(crate) const MOST: u32 = i32::MAX as u32;

fn text_lengths(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, _, _, _, base, bits] = call.params();
    let visits = call.visits();
    let [steps, row_starts, words, numbers, lengths, ends] = call.buffers();
    let symbols = Packed { words, bits, base };
    for row in ranges(steps, first_step, end_step).flatten() {
        let (mut length, mut own, mut last) = (0, None, 0);
        for (_, symbol) in body(row_starts, symbols, row, visits) {
            let (more, both) = match symbol.checked_sub(tokens) {
                None => (numbers[symbol as usize] >> 2, (numbers[symbol as usize] & 3) * 5),
                Some(child) if child < rows => (lengths[child as usize], ends[child as usize]),
                Some(_) => (0, 0),
            };
            length = (length + more + gap(last, both)).min(MOST);
            own = own.or(Some(both & 3));
            last = both;
        }
        lengths[row as usize] = length;
        ends[row as usize] = own.unwrap_or(0) | last & 12;
    }
}
