// Stores the position of each listed occurrence in the sorted list: the number of its sequence. One
// thread per sequence.
//!use grid

struct Params { sequences: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> list: array<u32>;
@group(0) @binding(2) var<storage, read_write> ranks: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.sequences {
        ranks[list[own]] = own;
    }
}
