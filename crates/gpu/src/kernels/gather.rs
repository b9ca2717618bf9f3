//! Bottom-up: every row has a table of the items that it stands for.

use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a unit.
    gather, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn gather(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, items, _, _, base] = call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, starts, _, pool, state] = call.buffers();
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        for &symbol in super::body(row_starts, symbols, row, base, visits) {
            match symbol.checked_sub(tokens) {
                Some(child) if child < rows => {
                    let [first, end] = [child, child + 1].map(|row| tables.starts[row as usize]);
                    for slot in first..end {
                        if let Some((item, count)) = tables.slot(slot) {
                            tables.add(row, item, items, count);
                        }
                    }
                }
                Some(_) => {}
                None if numbers[symbol as usize] < items => {
                    tables.add(row, numbers[symbol as usize], items, 1);
                }
                None => {}
            }
        }
    }
}
