// How many threads each symbol needs going up: one for a word, one for every 64 slots of a row's
// table. One thread a symbol.
//!use grid

struct Params { symbols: u32, tokens: u32, rows: u32, items: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read> numbers: array<u32>;
@group(0) @binding(3) var<storage, read> table_starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> units: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at >= params.symbols {
        return;
    }
    let symbol = symbols[at];
    var count = 0u;
    if symbol >= params.tokens {
        let child = symbol - params.tokens;
        if child < params.rows {
            count = (table_starts[child + 1u] - table_starts[child] + 63u) / 64u;
        }
    } else if numbers[symbol] < params.items {
        count = 1u;
    }
    units[at] = count;
}
