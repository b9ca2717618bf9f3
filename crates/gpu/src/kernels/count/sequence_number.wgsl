// Replaces the name of each occurrence by the number of its sequence. One thread per occurrence.
//!use grid

struct Params { occurrences: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ranks: array<u32>;
@group(0) @binding(2) var<storage, read_write> names: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.occurrences && names[own] < params.occurrences {
        names[own] = ranks[names[own]];
    }
}
