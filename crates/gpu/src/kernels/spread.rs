//! Top-down for each document apart: tables of documents at rows, tables of words at documents.

use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a slot.
    spread, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base
    ],
    bindings [Read, Read, Read, Read, Read, Write, Write]
);

fn spread(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, words, first_document, documents, base] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, starts, pool, state] = call.buffers();
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        for slot in tables.starts[row as usize]..tables.starts[row as usize + 1] {
            let mut document = row.wrapping_sub(first_document);
            let mut weight = 1;
            if document >= documents {
                let Some(taken) = tables.slot(slot) else { continue };
                (document, weight) = taken;
            }
            for &symbol in super::body(row_starts, symbols, row, base, visits) {
                match symbol.checked_sub(tokens) {
                    Some(child) if child < rows => tables.add(child, document, documents, weight),
                    Some(_) => {}
                    None if numbers[symbol as usize] < words => {
                        tables.add(rows + document, numbers[symbol as usize], words, weight);
                    }
                    None => {}
                }
            }
        }
    }
}
