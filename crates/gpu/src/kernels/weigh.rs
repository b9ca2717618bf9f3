//! Top-down: hands each row's weight to the rows and items in it.

use super::content::Symbols;
use super::packed::Packed;
use super::status;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    weigh, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits, span_base
    ],
    bindings [Read, Read, Read, Read, Read, Write, Write]
);

fn weigh(call: &mut Call<'_>) {
    let [
        first_step,
        end_step,
        _,
        tokens,
        rows,
        items,
        first_document,
        documents,
        base,
        bits,
        span_base,
    ] = call.params();
    let visits = call.visits();
    let [steps, row_starts, words, notes, names, totals, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let known = Symbols { tokens, rows, items, span_base, notes, names };
    let mut add = |totals: &mut [u32], at: u32, value: u64| {
        let (sum, overflows) = super::long(totals, at as usize).overflowing_add(value);
        super::set_long(totals, at as usize, sum);
        state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
    };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let is_document = row.wrapping_sub(first_document) < documents;
        let weight = if is_document { 1 } else { super::long(totals, (items + row) as usize) };
        if weight == 0 {
            continue;
        }
        let body = super::body(row_starts, symbols, row, visits);
        for (at, symbol) in body {
            let (own, child) = known.content(at, symbol);
            own.for_each(|item| add(totals, item, weight));
            if let Some(child) = child {
                add(totals, items + child, weight);
            }
        }
    }
}
