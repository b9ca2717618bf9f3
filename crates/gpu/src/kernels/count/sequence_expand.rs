//! Twin of the kernel: bottom-up: writes the text around the borders of symbols in each node.

use super::items::HAS_SEQUENCES;
use super::packed_symbols::Packed;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per node.
    sequence_expand, workgroup 64,
    params [
        first_step, end_step, threads, tokens, nodes, items, first_document, documents, symbol_base,
        symbol_bits, n
    ],
    bindings [Read, Read, Read, Read, Write, Write, Write]
);

fn sequence_expand(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, nodes, _, _, _, base, bits, n] = call.params();
    let visits = call.visits();
    let [steps, node_starts, words, starts, text, occurrences, notes] = call.buffers();
    let symbols = Packed { words, bits, base };
    let (list, span) = (nodes as usize + 1, n as usize - 1);
    for node in super::ranges(steps, first_step, end_step).flatten() {
        let from = starts[node as usize] as usize;
        let mut next = starts[list + node as usize] - starts[list];
        let mut local: Vec<u32> = Vec::new();
        let mut unbroken = 0;
        let mut put = |local: &mut Vec<u32>, next: &mut u32, word: u32, ends_sequence: bool| {
            local.push(word);
            if ends_sequence {
                occurrences[*next as usize] = (from + local.len()) as u32 - n;
                *next += 1;
            }
        };
        let body = super::body(node_starts, symbols, node, visits);
        for (at, symbol) in body {
            let note = &mut notes[at as usize];
            *note = next;
            let Some(child) = symbol.checked_sub(tokens) else {
                unbroken += 1;
                put(&mut local, &mut next, symbol, unbroken > span);
                continue;
            };
            if child >= nodes {
                continue;
            }
            let [first, end] = [child, child + 1].map(|node| starts[node as usize] as usize);
            let size = end - first;
            *note |= if size > span { HAS_SEQUENCES } else { 0 };
            let head = if size >= 2 * span { span } else { size };
            for word in 0..head {
                unbroken += 1;
                let ends_sequence = unbroken > span && word < span;
                put(&mut local, &mut next, text[first + word], ends_sequence);
            }
            if size >= 2 * span {
                local.extend_from_slice(&text[end - span..end]);
                unbroken = span;
            }
        }
        text[from..from + local.len()].copy_from_slice(&local);
        if node + 1 == nodes {
            notes[node_starts[nodes as usize] as usize] = next;
        }
    }
}
