//! Twin of the kernel: top-down, per document: every node has a table of the documents that contain it,
//! with its weight in each, and every document has a table of items with their counts (gtadoc section
//! IV-C).

use super::items::Symbols;
use super::packed_symbols::Packed;
use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per slot.
    top_down_tables, workgroup 64,
    params [
        first_step, end_step, threads, tokens, nodes, items, first_document, documents, symbol_base,
        symbol_bits, has_spans
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn top_down_tables(call: &mut Call<'_>) {
    let [first, end, _, tokens, nodes, items, first_document, documents, base, bits, has_spans] =
        call.params();
    let visits = call.visits();
    let [steps, node_starts, words, notes, names, starts, pool, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let has_spans = has_spans != 0;
    let known = Symbols { symbols, tokens, nodes, items, has_spans, notes, names };
    let mut tables = Tables { starts, pool, state };
    for node in super::ranges(steps, first, end).flatten() {
        for slot in tables.starts[node as usize]..tables.starts[node as usize + 1] {
            let mut document = node.wrapping_sub(first_document);
            let mut weight = 1;
            if document >= documents {
                let Some(taken) = tables.slot(slot) else { continue };
                (document, weight) = taken;
            }
            for (at, _) in super::body(node_starts, symbols, node, visits) {
                let (own, child) = known.content(at);
                known.items(own).for_each(|item| tables.add(nodes + document, item, items, weight));
                if let Some(child) = child {
                    tables.add(child, document, documents, weight);
                }
            }
        }
    }
}
