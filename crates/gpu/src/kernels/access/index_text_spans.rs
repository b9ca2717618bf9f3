//! Twin of the kernel: computes the distance from the text of each symbol to that of the next.

use super::{Shape, gap};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per position.
    index_text_spans, workgroup 64, params [rules, documents, tokens, symbols],
    bindings [Read, Read, Read, Read, Write, Write, Write]
);

fn index_text_spans(call: &mut Call<'_>) {
    let [rules, documents, tokens, count] = call.params();
    let [words, symbols, numbers, ends, spans, keys, positions] = call.buffers();
    let shape = Shape { words, rules, documents, tokens };
    let ends_of = |symbol: u32| match symbol.checked_sub(tokens) {
        None => (numbers[symbol as usize] & 3) * 5,
        Some(rule) => ends[rule as usize],
    };
    for at in 0..count {
        let symbol = symbols[at as usize];
        keys[at as usize] = symbol;
        positions[at as usize] = at;
        let mut span = shape.length(symbol);
        if at + 1 < count && !shape.is_start(at + 1) {
            span += gap(ends_of(symbol), ends_of(symbols[at as usize + 1]));
        }
        spans[at as usize] = span;
    }
}
