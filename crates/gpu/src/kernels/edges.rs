//! Bottom-up: the first and last words of each row.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    edges, workgroup 64,
    params [
        first_step, end_step, threads, tokens, rows, words, first_document, documents, symbol_base,
        n
    ],
    bindings [Read, Read, Read, Read, Read, Write]
);

/// What is kept of a row's words, as in `shared/edge.wgsl`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) start: usize,
    /// Words at the start: all, if the row is short.
    pub(super) head: usize,
    /// Where the last words start: at the first ones if the row is short.
    pub(super) tail: usize,
    pub(super) is_long: bool,
}

impl Edge {
    pub(super) fn of(edge_starts: &[u32], row: u32, n: u32) -> Self {
        let start = edge_starts[row as usize] as usize;
        let size = edge_starts[row as usize + 1] as usize - start;
        let span = n as usize - 1;
        match size > 2 * span {
            true => Self { start, head: span, tail: start + span, is_long: true },
            false => Self { start, head: size, tail: start, is_long: false },
        }
    }
}

fn edges(call: &mut Call<'_>) {
    let [first_step, end_step, _, tokens, _, words, _, _, base, n] = call.params();
    let visits = call.visits();
    let [steps, row_starts, symbols, numbers, edge_starts, edge_words] = call.buffers();
    for row in super::ranges(steps, first_step, end_step).flatten() {
        let own = Edge::of(edge_starts, row, n);
        let [first, end] = [row, row + 1].map(|row| (row_starts[row as usize] - base) as usize);
        let body = &symbols[first..end];
        // Words of a symbol: its first ones, or its last ones.
        let of = |symbol: u32, is_tail: bool, edge_words: &[u32]| match symbol.checked_sub(tokens) {
            Some(child) => {
                let edge = Edge::of(edge_starts, child, n);
                let start = if is_tail { edge.tail } else { edge.start };
                edge_words[start..start + edge.head].to_vec()
            }
            None => {
                let word = Some(numbers[symbol as usize]).filter(|&word| word < words);
                word.into_iter().collect()
            }
        };
        let mut head: Vec<u32> = Vec::new();
        for &symbol in body.iter().take_while(|_| own.head > 0) {
            visits.add(1);
            head.extend(of(symbol, false, edge_words));
            if head.len() >= own.head {
                break;
            }
        }
        edge_words[own.start..own.start + own.head].copy_from_slice(&head[..own.head]);
        if own.is_long {
            let mut tail: Vec<u32> = Vec::new();
            for &symbol in body.iter().rev() {
                visits.add(1);
                tail.extend(of(symbol, true, edge_words).iter().rev());
                if tail.len() >= own.head {
                    break;
                }
            }
            tail.truncate(own.head);
            tail.reverse();
            edge_words[own.tail..own.tail + own.head].copy_from_slice(&tail);
        }
    }
}
