// The grammar of sequences: each row as its occurrences, by number, and the rows in it that have
// sequences of their own. In it, counting sequences is counting words. If asked, also how many threads
// each symbol will need going up, as in `measure`. One thread a row.
//!use grid
//!use units

struct Params {
    first_row: u32, end_row: u32, tokens: u32, rows: u32, n: u32, symbol_base: u32,
    occurrences: u32, items: u32, has_units: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> row_starts: array<u32>;
@group(0) @binding(2) var<storage, read> symbols: array<u32>;
@group(0) @binding(3) var<storage, read> lengths: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> derived_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> derived: array<u32>;
@group(0) @binding(7) var<storage, read_write> units: array<u32>;

fn put(to: u32, symbol: u32, words: u32) {
    derived[to] = symbol;
    if params.has_units != 0u {
        units[to] = units_for(words, params.items);
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = params.first_row + thread_of(place, 64u);
    if row >= params.end_row {
        return;
    }
    let list = params.rows + 1u;
    let first = starts[list + row] - starts[list];
    let after = starts[list + row + 1u] - starts[list];
    var to = first + starts[2u * list + row] - starts[2u * list];
    derived_starts[row] = to;
    for (var occurrence = first; occurrence < after; occurrence++) {
        put(to, occurrence, 1u);
        to += 1u;
    }
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol < params.tokens || symbol - params.tokens >= params.rows {
            continue;
        }
        let child = symbol - params.tokens;
        if lengths[child] >= params.n {
            put(to, params.occurrences + child, lengths[child]);
            to += 1u;
        }
    }
    if row + 1u == params.rows {
        derived_starts[params.rows] = to;
    }
}
