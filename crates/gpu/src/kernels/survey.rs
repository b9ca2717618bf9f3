//! Bottom-up, what sequences need to know of each row: its length, what is around the borders of its
//! symbols, and how many threads those need.

use super::measure::MOST;
use super::packed::Packed;
use super::tables::units_for;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    survey, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits, n, has_units
    ],
    bindings [Read, Read, Read, Write, Write, Write]
);

fn survey(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, _, _, _, base, bits, n, has_units] = call.params();
    let visits = call.visits();
    let [steps, row_starts, words, lengths, sizes, units] = call.buffers();
    let symbols = Packed { words, bits, base };
    let (span, list) = (n - 1, rows as usize + 1);
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let (mut length, mut around, mut occurrences, mut unbroken) = (0u32, 0, 0, 0);
        let body = super::body(row_starts, symbols, row, visits);
        for (at, symbol) in body {
            let words = match symbol.checked_sub(tokens) {
                Some(child) if child < rows => lengths[child as usize],
                Some(_) => 0,
                None => 1,
            };
            length = (length + words).min(MOST);
            let first = words.min(span);
            let found = first.saturating_sub(span.saturating_sub(unbroken));
            occurrences += found;
            if words > 2 * span {
                around += 2 * span;
                unbroken = span;
            } else {
                around += words;
                unbroken += words;
            }
            if has_units != 0 {
                units[at as usize] = units_for(words - first).max(found.min(1));
            }
        }
        let at = row as usize;
        (lengths[at], sizes[at], sizes[list + at]) = (length, around, occurrences);
    }
}
