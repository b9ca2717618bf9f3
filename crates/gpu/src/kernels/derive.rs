//! The grammar of sequences.

use super::tables::units_for;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    derive, workgroup 64,
    params [first_row, end_row, tokens, rows, n, symbol_base, occurrences, items, has_units],
    bindings [Read, Read, Read, Read, Write, Write, Write]
);

fn derive(call: &mut Call<'_>) {
    let [first_row, end_row, tokens, rows, n, base, occurrences, items, has_units] = call.params();
    let visits = call.visits();
    let [row_starts, symbols, lengths, starts, derived_starts, derived, units] = call.buffers();
    let list = rows as usize + 1;
    for row in first_row..end_row {
        let at = row as usize;
        let own = starts[list + at] - starts[list]..starts[list + at + 1] - starts[list];
        let start = own.start + starts[2 * list + at] - starts[2 * list];
        derived_starts[at] = start;
        let children =
            super::body(row_starts, symbols, row, base, visits).iter().filter_map(|symbol| {
                let child = symbol.checked_sub(tokens)?;
                let words = *lengths.get(child as usize)?;
                (words >= n).then_some((occurrences + child, words))
            });
        let mut to = start as usize;
        for (symbol, words) in own.map(|symbol| (symbol, 1)).chain(children) {
            derived[to] = symbol;
            if has_units != 0 {
                units[to] = units_for(words, items);
            }
            to += 1;
        }
        if row + 1 == rows {
            derived_starts[rows as usize] = to as u32;
        }
    }
}
