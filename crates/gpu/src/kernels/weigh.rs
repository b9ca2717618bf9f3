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
        symbol_bits, has_spans
    ],
    bindings [Read, Read, Read, Read, Read, Write, Write]
);

fn weigh(call: &mut Call<'_>) {
    let [first, end, _, tokens, rows, items, first_document, documents, base, bits, has_spans] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, words, notes, names, totals, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let has_spans = has_spans != 0;
    let known = Symbols { symbols, tokens, rows, items, has_spans, notes, names };
    let mut add = |totals: &mut [u32], at: u32, value: u64| {
        let (sum, overflows) = super::long(totals, at as usize).overflowing_add(value);
        super::set_long(totals, at as usize, sum);
        state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
    };
    for row in super::ranges(steps, first, end).flatten() {
        let is_document = row.wrapping_sub(first_document) < documents;
        let weight = if is_document { 1 } else { super::long(totals, (items + row) as usize) };
        if weight == 0 {
            continue;
        }
        for (at, _) in super::body(row_starts, symbols, row, visits) {
            let (own, child) = known.content(at);
            known.items(own).for_each(|item| add(totals, item, weight));
            if let Some(child) = child {
                add(totals, items + child, weight);
            }
        }
    }
}
