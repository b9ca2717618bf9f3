//! Twin of the kernel: bottom-up: every node has a table of the items that it expands to, built from
//! its own items and from the tables of its children (gtadoc algorithm 2).

use super::items::Symbols;
use super::packed_symbols::Packed;
use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per symbol, and extra threads for a symbol whose child has a large table.
    bottom_up_tables, workgroup 64,
    params [
        first_step, end_step, threads, tokens, nodes, items, first_document, documents, symbol_base,
        symbol_bits, has_spans, step_count, heavy, slots
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn bottom_up_tables(call: &mut Call<'_>) {
    let [first, end, _, tokens, nodes, items, _, _, base, bits, has_spans, step_count, _, _] =
        call.params();
    let visits = call.visits();
    let [steps, node_starts, words, notes, names, starts, pool, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let has_spans = has_spans != 0;
    let known = Symbols { symbols, tokens, nodes, items, has_spans, notes, names };
    let mut tables = Tables { starts, pool, state };
    // Each extra thread visits its symbol.
    let more = super::ranges(steps, step_count + first, step_count + end);
    visits.add(more.map(|threads| threads.len()).sum());
    for node in super::ranges(steps, first, end).flatten() {
        for at in node_starts[node as usize]..node_starts[node as usize + 1] {
            let (own, child) = known.content(at);
            // A symbol whose note says that it contributes nothing is not visited.
            visits.add(usize::from(!has_spans || !own.is_empty() || child.is_some()));
            known.items(own).for_each(|item| tables.add(node, item, items, 1));
            let slots = child.map_or(0..0, |child| {
                tables.starts[child as usize]..tables.starts[child as usize + 1]
            });
            for slot in slots {
                if let Some((item, count)) = tables.slot(slot) {
                    tables.add(node, item, items, count);
                }
            }
        }
    }
}
