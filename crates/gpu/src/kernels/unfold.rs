//! The text around the borders in each row, and the sequences in it.

use super::edges::Edge;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a row.
    unfold, workgroup 64,
    params [first_row, end_row, tokens, rows, words, n, symbol_base],
    bindings [Read, Read, Read, Read, Read, Read, Write, Write]
);

fn unfold(call: &mut Call<'_>) {
    let [first_row, end_row, tokens, rows, words, n, base] = call.params();
    let visits = call.visits();
    let [row_starts, symbols, numbers, edge_starts, edge_words, starts, text, occurrences] =
        call.buffers();
    let list = rows as usize + 1;
    for row in first_row..end_row {
        let at = row as usize;
        let (mut local, mut found) = (Vec::new(), Vec::new());
        let mut unbroken = 0;
        for &symbol in super::body(row_starts, symbols, row, base, visits) {
            let Some(child) = symbol.checked_sub(tokens) else {
                if numbers[symbol as usize] < words {
                    local.push(numbers[symbol as usize]);
                    unbroken += 1;
                    found.extend((unbroken >= n).then_some(local.len()));
                }
                continue;
            };
            let edge = Edge::of(edge_starts, child, n);
            for (place, &word) in (1..).zip(&edge_words[edge.start..edge.start + edge.head]) {
                local.push(word);
                unbroken += 1;
                found.extend((unbroken >= n && place < n).then_some(local.len()));
            }
            if edge.is_long {
                local.extend_from_slice(&edge_words[edge.tail..edge.tail + edge.head]);
                unbroken = n - 1;
            }
        }
        let (from, first) = (starts[at] as usize, (starts[list + at] - starts[list]) as usize);
        text[from..from + local.len()].copy_from_slice(&local);
        for (to, end) in occurrences[first..].iter_mut().zip(found) {
            *to = (from + end - n as usize) as u32;
        }
    }
}
