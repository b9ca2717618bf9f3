//! The grammar of sequences.

use super::edges::Edge;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    derive, workgroup 64,
    params [first_row, end_row, tokens, rows, n, symbol_base, occurrences],
    bindings [Read, Read, Read, Read, Write, Write]
);

fn derive(call: &mut Call<'_>) {
    let [first_row, end_row, tokens, rows, n, base, occurrences] = call.params();
    let visits = call.visits();
    let [row_starts, symbols, edge_starts, starts, derived_starts, derived] = call.buffers();
    let list = rows as usize + 1;
    for row in first_row..end_row {
        let at = row as usize;
        let own = starts[list + at] - starts[list]..starts[list + at + 1] - starts[list];
        let start = own.start + starts[2 * list + at] - starts[2 * list];
        derived_starts[at] = start;
        let children =
            super::body(row_starts, symbols, row, base, visits).iter().filter_map(|symbol| {
                let child = symbol.checked_sub(tokens)?;
                let edge = Edge::of(edge_starts, child, n);
                (edge.is_long || edge.head >= n as usize).then_some(occurrences + child)
            });
        let mut to = start as usize;
        for symbol in own.chain(children) {
            derived[to] = symbol;
            to += 1;
        }
        if row + 1 == rows {
            derived_starts[rows as usize] = to as u32;
        }
    }
}
