//! Bottom-up: every row has a table of the items that it stands for.

use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a unit.
    gather, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        slots
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn gather(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, items, _, _, base, _] = call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, starts, units, pool, state] = call.buffers();
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        // A symbol is looked at by each of its threads.
        let [first, end] = [row, row + 1].map(|row| row_starts[row as usize] as usize);
        visits.add((units[end] - units[first]) as usize);
        for &symbol in &symbols[first - base as usize..end - base as usize] {
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
