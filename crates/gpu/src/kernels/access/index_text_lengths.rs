//! Twin of the kernel: bottom-up: computes the bytes that each node expands to, including implied
//! spaces between its words, and the classes of its first and last token.

use super::gap;
use crate::kernel::{Call, kernel};
use crate::kernels::count::packed_symbols::Packed;
use crate::kernels::count::{body, ranges};

kernel!(
    /// One thread per node.
    index_text_lengths, workgroup 64,
    params [
        first_step, end_step, threads, tokens, nodes, items, first_document, documents, symbol_base,
        symbol_bits
    ],
    bindings [Read, Read, Read, Read, Write, Write]
);

/// Lengths saturate at this value.
pub(crate) const MOST: u32 = i32::MAX as u32;

fn index_text_lengths(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, nodes, _, _, _, base, bits] = call.params();
    let visits = call.visits();
    let [steps, node_starts, words, numbers, lengths, ends] = call.buffers();
    let symbols = Packed { words, bits, base };
    for node in ranges(steps, first_step, end_step).flatten() {
        let (mut length, mut own, mut last) = (0, None, 0);
        for (_, symbol) in body(node_starts, symbols, node, visits) {
            let (more, both) = match symbol.checked_sub(tokens) {
                None => (numbers[symbol as usize] >> 2, (numbers[symbol as usize] & 3) * 5),
                Some(child) if child < nodes => (lengths[child as usize], ends[child as usize]),
                Some(_) => (0, 0),
            };
            length = (length + more + gap(last, both)).min(MOST);
            own = own.or(Some(both & 3));
            last = both;
        }
        lengths[node as usize] = length;
        ends[node as usize] = own.unwrap_or(0) | last & 12;
    }
}
