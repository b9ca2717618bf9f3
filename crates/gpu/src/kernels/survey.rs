//! Bottom-up, what sequences need to know of each row: its length, the size of its edges, and what
//! is around the borders of its symbols.

use super::measure::MOST;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    survey, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base,
        n
    ],
    bindings [Read, Read, Read, Read, Write, Write, Write]
);

fn survey(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, words, first_document, documents, base, n] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, lengths, edge_sizes, sizes] = call.buffers();
    let (span, list) = (n - 1, rows as usize + 1);
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let (mut length, mut around, mut occurrences, mut children) = (0u32, 0, 0, 0);
        let mut unbroken = 0;
        for &symbol in super::body(row_starts, symbols, row, base, visits) {
            let words = match symbol.checked_sub(tokens) {
                Some(child) if child < rows => lengths[child as usize],
                Some(_) => continue,
                None if numbers[symbol as usize] < words => {
                    length = (length + 1).min(MOST);
                    around += 1;
                    unbroken += 1;
                    occurrences += u32::from(unbroken >= n);
                    continue;
                }
                None => continue,
            };
            length = (length + words).min(MOST);
            let missing = span.saturating_sub(unbroken);
            occurrences += words.min(span).saturating_sub(missing);
            if words > 2 * span {
                around += 2 * span;
                unbroken = span;
            } else {
                around += words;
                unbroken += words;
            }
            children += u32::from(words >= n);
        }
        let at = row as usize;
        lengths[at] = length;
        let is_document = row.wrapping_sub(first_document) < documents;
        edge_sizes[at] = if is_document { 0 } else { length.min(2 * span + 1) };
        (sizes[at], sizes[list + at], sizes[2 * list + at]) = (around, occurrences, children);
    }
}
