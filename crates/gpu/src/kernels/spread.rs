//! Top-down for each document apart: tables of documents at rows, tables of items at documents.

use super::content::Symbols;
use super::packed::Packed;
use super::tables::Tables;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a slot.
    spread, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, items, first_document, documents, symbol_base,
        symbol_bits, has_spans
    ],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn spread(call: &mut Call<'_>) {
    let [first, end, _, tokens, rows, items, first_document, documents, base, bits, has_spans] =
        call.params();
    let visits = call.visits();
    let [steps, row_starts, words, notes, names, starts, pool, state] = call.buffers();
    let symbols = Packed { words, bits, base };
    let has_spans = has_spans != 0;
    let known = Symbols { symbols, tokens, rows, items, has_spans, notes, names };
    let mut tables = Tables { starts, pool, state };
    for row in super::ranges(steps, first, end).flatten() {
        for slot in tables.starts[row as usize]..tables.starts[row as usize + 1] {
            let mut document = row.wrapping_sub(first_document);
            let mut weight = 1;
            if document >= documents {
                let Some(taken) = tables.slot(slot) else { continue };
                (document, weight) = taken;
            }
            for (at, _) in super::body(row_starts, symbols, row, visits) {
                let (own, child) = known.content(at);
                known.items(own).for_each(|item| tables.add(rows + document, item, items, weight));
                if let Some(child) = child {
                    tables.add(child, document, documents, weight);
                }
            }
        }
    }
}
