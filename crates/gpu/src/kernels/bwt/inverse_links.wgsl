// Writes the symbols of a last column as keys, and with each its row and itself. Sorted by key, they
// are the links from row to row. One thread per row.
//!use grid
//!use bytes

struct Params { rows: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> column: array<u32>;
@group(0) @binding(2) var<storage, read_write> keys: array<u32>;
@group(0) @binding(3) var<storage, read_write> links: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = thread_of(place, 64u);
    if row < params.rows {
        let symbol = byte_of(column[row / 4u], row);
        keys[row] = symbol;
        links[row] = (symbol << 24u) | row;
    }
}
