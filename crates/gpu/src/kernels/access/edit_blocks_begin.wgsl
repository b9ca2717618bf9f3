// Creates blocks of one insertion: one piece each. One thread per insertion.
//!use grid
//!use records

struct Params { insertions: u32, slots: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read_write> records: array<u32>;

var<private> steps_left: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let insertion = thread_of(place, 64u);
    if insertion >= params.insertions {
        return;
    }
    let piece = piece_place(0u, insertion, 0u);
    records[piece] = offsets[insertion];
    records[piece + 2u] = insertion;
    records[count_place(0u, insertion)] = 1u;
}
