// Bottom-up: how many words each row stands for, and how many of them its edges take: all, or `edge`
// if there are as many or more. Counting stops at 2^31 - 1. One thread a row; steps as in `weigh`,
// in reverse.
//!use rows

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, words: u32,
    first_document: u32, documents: u32, symbol_base: u32, edge: u32,
}

@group(0) @binding(5) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(6) var<storage, read_write> edge_sizes: array<u32>;

const MOST = 0x7fffffffu;

fn visit(row: u32) {
    var length = 0u;
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol >= params.tokens {
            let child = symbol - params.tokens;
            if child < params.rows {
                length = min(length + lengths[child], MOST);
            }
        } else if numbers[symbol] < params.words {
            length = min(length + 1u, MOST);
        }
    }
    lengths[row] = length;
    // Nothing looks into documents.
    let is_document = row - params.first_document < params.documents;
    edge_sizes[row] = select(min(length, params.edge), 0u, is_document);
}
