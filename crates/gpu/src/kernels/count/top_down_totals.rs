//! Twin of the kernel: top-down: adds the weight of each node to the totals of its children and items
//! (gtadoc algorithm 1).

use super::items::Symbols;
use super::packed_symbols::Packed;
use crate::kernel::{Call, kernel};
use crate::kernels::status;

kernel!(
    /// One thread per node.
    top_down_totals, workgroup 64,
    params [
        first_step, end_step, threads, tokens, nodes, items, first_document, documents, symbol_base,
        symbol_bits, has_spans
    ],
    bindings [Read, Read, Read, Read, Read, Write, Write]
);

fn top_down_totals(call: &mut Call<'_>) {
    let [first, end, _, tokens, nodes, items, first_document, documents, base, bits, has_spans] =
        call.params();
    let visits = call.visits();
    let [steps, node_starts, words, notes, names, totals, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let has_spans = has_spans != 0;
    let known = Symbols { symbols, tokens, nodes, items, has_spans, notes, names };
    let mut add = |totals: &mut [u32], at: u32, value: u64| {
        let (sum, overflows) = super::long(totals, at as usize).overflowing_add(value);
        super::set_long(totals, at as usize, sum);
        state[0] |= if overflows { status::COUNT_TOO_LARGE } else { 0 };
    };
    for node in super::ranges(steps, first, end).flatten() {
        let is_document = node.wrapping_sub(first_document) < documents;
        let weight = if is_document { 1 } else { super::long(totals, (items + node) as usize) };
        if weight == 0 {
            continue;
        }
        for (at, _) in super::body(node_starts, symbols, node, visits) {
            let (own, child) = known.content(at);
            known.items(own).for_each(|item| add(totals, item, weight));
            if let Some(child) = child {
                add(totals, items + child, weight);
            }
        }
    }
}
