//! Bottom-up: every row has a table of the items that it stands for.

use super::content::Symbols;
use super::packed::Packed;
use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a unit.
    gather, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits, span_base, slots
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn gather(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, rows, items, _, _, base, bits, span_base, _] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, words, notes, names, starts, pool, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let known = Symbols { tokens, rows, items, span_base, notes, names };
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first_step, end_step).flatten() {
        // A symbol is looked at by each of its threads.
        let [first, end] = [row, row + 1].map(|row| row_starts[row as usize]);
        visits.add((notes[end as usize] - notes[first as usize]) as usize);
        for at in first..end {
            // One without threads brings nothing.
            if notes[at as usize] == notes[at as usize + 1] {
                continue;
            }
            let (own, child) = known.content(at, symbols.symbol_at(at));
            own.for_each(|item| tables.add(row, item, items, 1));
            let slots = child.map_or(0..0, |child| {
                tables.starts[child as usize]..tables.starts[child as usize + 1]
            });
            for slot in slots {
                if let Some((item, count)) = tables.slot(slot) {
                    tables.add(row, item, items, count);
                }
            }
        }
    }
}
