// Bottom-up, what sequences of n words need to know of each row (gtadoc section IV-D): how many words
// it stands for, counted up to 2^31 - 1; and what `unfold` will find in it: words around the borders of
// its symbols, and occurrences. All follow from the lengths of the rows in it, so that one look is
// enough. If asked, also how many threads each symbol will need going up, as in `measure`. One thread
// a row; steps as in `measure`.
//!use rows
//!use units

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, n: u32, has_units: u32,
}

@group(0) @binding(4) var<storage, read_write> lengths: array<u32>;
// Two lists of rows + 1: words, occurrences.
@group(0) @binding(5) var<storage, read_write> sizes: array<u32>;
@group(0) @binding(6) var<storage, read_write> units: array<u32>;

const MOST = 0x7fffffffu;

fn visit(row: u32) {
    let span = params.n - 1u;
    var length = 0u;
    var around = 0u;
    var occurrences = 0u;
    // Words since the start, or since the middle of a long row.
    var unbroken = 0u;
    let end = row_starts[row + 1u];
    for (var at = row_starts[row]; at < end; at++) {
        let symbol = symbol_at(at);
        var words = 1u;
        if symbol >= params.tokens {
            let child = symbol - params.tokens;
            words = 0u;
            if child < params.rows {
                words = lengths[child];
            }
        }
        length = min(length + words, MOST);
        // A sequence ends at each of the first n - 1 words that has as many before it.
        let missing = span - min(unbroken, span);
        let first = min(words, span);
        let found = first - min(first, missing);
        occurrences += found;
        let is_long = words > 2u * span;
        around += select(words, 2u * span, is_long);
        unbroken = select(unbroken + words, span, is_long);
        if params.has_units != 0u {
            let inside = units_for(words - first);
            units[at] = max(inside, min(found, 1u));
        }
    }
    lengths[row] = length;
    let list = params.rows + 1u;
    sizes[row] = around;
    sizes[list + row] = occurrences;
}
