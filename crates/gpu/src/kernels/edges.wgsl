// Bottom-up: the first and last words of each row (gtadoc section IV-D). A row of at most 2 (n - 1)
// words has all of them; one of more has n - 1 first words, n - 1 last words and one unused place,
// by which it is known as long. One thread a row; steps as in `measure`.
//!use rows
//!use edge

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, words: u32,
    first_document: u32, documents: u32, symbol_base: u32, n: u32,
}

@group(0) @binding(5) var<storage, read> edge_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> edge_words: array<u32>;

// Writes the first `most` words of a row.
fn put_head(row: u32, start: u32, most: u32) {
    var left = most;
    var to = start;
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end && left > 0u; at++) {
        let symbol = symbols[at];
        if symbol >= params.tokens {
            let edge = edge_of(symbol - params.tokens);
            let take = min(edge.head, left);
            for (var word = 0u; word < take; word++) {
                edge_words[to + word] = edge_words[edge.start + word];
            }
            to += take;
            left -= take;
        } else if numbers[symbol] < params.words {
            edge_words[to] = numbers[symbol];
            to += 1u;
            left -= 1u;
        }
    }
}

// Writes the last `most` words of a row before `end_of_words`.
fn put_tail(row: u32, end_of_words: u32, most: u32) {
    var left = most;
    var to = end_of_words;
    let first = row_starts[row] - params.symbol_base;
    for (var at = row_starts[row + 1u] - params.symbol_base; at > first && left > 0u; at--) {
        let symbol = symbols[at - 1u];
        if symbol >= params.tokens {
            let edge = edge_of(symbol - params.tokens);
            let take = min(edge.head, left);
            let after = edge.start + edge.tail + edge.head;
            for (var word = 1u; word <= take; word++) {
                edge_words[to - word] = edge_words[after - word];
            }
            to -= take;
            left -= take;
        } else if numbers[symbol] < params.words {
            to -= 1u;
            edge_words[to] = numbers[symbol];
            left -= 1u;
        }
    }
}

fn visit(row: u32) {
    let edge = edge_of(row);
    put_head(row, edge.start, edge.head);
    if edge.is_long {
        put_tail(row, edge.start + 2u * (params.n - 1u), params.n - 1u);
    }
}
