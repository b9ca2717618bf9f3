// The grammar of sequences: each row as its occurrences, by number, and the rows in it that have
// sequences of their own. In it, counting sequences is counting words. One thread a row.
//!use grid
//!use edge

struct Params {
    first_row: u32, end_row: u32, tokens: u32, rows: u32, n: u32, symbol_base: u32,
    occurrences: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> row_starts: array<u32>;
@group(0) @binding(2) var<storage, read> symbols: array<u32>;
@group(0) @binding(3) var<storage, read> edge_starts: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> derived_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> derived: array<u32>;

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
        derived[to] = occurrence;
        to += 1u;
    }
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol >= params.tokens {
            let edge = edge_of(symbol - params.tokens);
            if edge.is_long || edge.head >= params.n {
                derived[to] = params.occurrences + symbol - params.tokens;
                to += 1u;
            }
        }
    }
    if row + 1u == params.rows {
        derived_starts[params.rows] = to;
    }
}
