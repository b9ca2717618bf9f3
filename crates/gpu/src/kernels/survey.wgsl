// Bottom-up, what sequences of n words need to know of each row (gtadoc section IV-D): how many words
// it stands for, counted up to 2^31 - 1; how many of them its edges take; and what `unfold` will find
// in it: words around the borders of its symbols, occurrences, rows that have sequences of their own.
// All follow from the lengths of the rows in it, so that one look is enough. One thread a row; steps
// as in `measure`.
//!use rows

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, words: u32,
    first_document: u32, documents: u32, symbol_base: u32, n: u32,
}

@group(0) @binding(5) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(6) var<storage, read_write> edge_sizes: array<u32>;
// Three lists of rows + 1: words, occurrences, rows.
@group(0) @binding(7) var<storage, read_write> sizes: array<u32>;

const MOST = 0x7fffffffu;

fn visit(row: u32) {
    let span = params.n - 1u;
    var length = 0u;
    var around = 0u;
    var occurrences = 0u;
    var children = 0u;
    // Words since the start, or since the middle of a long row.
    var unbroken = 0u;
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol < params.tokens {
            if numbers[symbol] < params.words {
                length = min(length + 1u, MOST);
                around += 1u;
                unbroken += 1u;
                occurrences += select(0u, 1u, unbroken >= params.n);
            }
            continue;
        }
        let child = symbol - params.tokens;
        if child >= params.rows {
            continue;
        }
        let words = lengths[child];
        length = min(length + words, MOST);
        // A sequence ends at each of the first n - 1 words that has as many before it.
        let missing = span - min(unbroken, span);
        let first = min(words, span);
        occurrences += first - min(first, missing);
        if words > 2u * span {
            around += 2u * span;
            unbroken = span;
        } else {
            around += words;
            unbroken += words;
        }
        children += select(0u, 1u, words >= params.n);
    }
    lengths[row] = length;
    // Nothing looks into documents.
    let is_document = row - params.first_document < params.documents;
    edge_sizes[row] = select(min(length, 2u * span + 1u), 0u, is_document);
    let list = params.rows + 1u;
    sizes[row] = around;
    sizes[list + row] = occurrences;
    sizes[2u * list + row] = children;
}
