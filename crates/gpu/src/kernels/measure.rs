//! Bottom-up: how many words each row stands for, and how many of them its edges take.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    measure, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base,
        edge
    ],
    bindings [Read, Read, Read, Read, Write, Write]
);

/// Counting stops here.
const MOST: u32 = i32::MAX as u32;

fn measure(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, words, first_document, documents, base, edge] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, lengths, edge_sizes] = call.buffers();
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let length = super::body(row_starts, symbols, row, base, visits).iter().fold(
            0u32,
            |sum, &symbol| {
                let more = match symbol.checked_sub(tokens) {
                    Some(child) if child < rows => lengths[child as usize],
                    Some(_) => 0,
                    None => u32::from(numbers[symbol as usize] < words),
                };
                (sum + more).min(MOST)
            },
        );
        lengths[row as usize] = length;
        let is_document = row.wrapping_sub(first_document) < documents;
        edge_sizes[row as usize] = if is_document { 0 } else { length.min(edge) };
    }
}
