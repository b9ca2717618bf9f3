// Lengths of rows, two to a word, become words, of which sums are where rows start. One thread a row.
//!use grid
//!use symbols

struct Params { rows: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read_write> lengths: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = thread_of(place, 64u);
    if row < params.rows {
        lengths[row] = symbol_of(row);
    }
}
