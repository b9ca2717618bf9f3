//! Top-down: hands each row's weight to the rows and words in it.

use super::status;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    weigh, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base
    ],
    bindings [Read, Read, Read, Read, Write, Write]
);

fn weigh(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, words, first_document, documents, base] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, totals, state] = call.buffers();
    let mut add = |totals: &mut [u32], at: u32, value: u64| {
        let (sum, overflows) = super::long(totals, at as usize).overflowing_add(value);
        super::set_long(totals, at as usize, sum);
        state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
    };
    for step in super::ranges(steps, first_step, end_step) {
        for row in step {
            let is_document = row.wrapping_sub(first_document) < documents;
            let weight = if is_document { 1 } else { super::long(totals, (words + row) as usize) };
            if weight == 0 {
                continue;
            }
            for &symbol in super::body(row_starts, symbols, row, base, visits) {
                match symbol.checked_sub(tokens) {
                    Some(child) if child < rows => add(totals, words + child, weight),
                    Some(_) => {}
                    None if numbers[symbol as usize] < words => {
                        add(totals, numbers[symbol as usize], weight);
                    }
                    None => {}
                }
            }
        }
    }
}
