// Bottom-up: how many words each row stands for. Counting stops at 2^31 - 1. If asked, also how many
// threads each symbol will need going up: one for a word, some for a row's table, whose size follows
// from the row's length, so that no other pass need look. One thread a row; steps as in `weigh`, in
// reverse.
//!use rows
//!use units

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, has_units: u32,
}

@group(0) @binding(4) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(5) var<storage, read_write> units: array<u32>;

const MOST = 0x7fffffffu;

fn visit(row: u32) {
    var length = 0u;
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
        if params.has_units != 0u {
            units[at] = units_for(words);
        }
    }
    lengths[row] = length;
}
