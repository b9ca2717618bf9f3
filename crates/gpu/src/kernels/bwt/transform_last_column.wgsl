// Computes the last symbols of sorted rotations, four per word: the byte before the first byte of each
// rotation. One thread per word.
//!use grid
//!use bytes

struct Params { rotations: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> text: array<u32>;
@group(0) @binding(3) var<storage, read_write> column: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let end = min(4u * own + 4u, params.rotations);
    var word = 0u;
    for (var row = 4u * own; row < end; row++) {
        let at = select(order[row], params.rotations, order[row] == 0u) - 1u;
        word |= byte_of(text[at / 4u], at) << (8u * (row % 4u));
    }
    if 4u * own < params.rotations {
        column[own] = word;
    }
}
