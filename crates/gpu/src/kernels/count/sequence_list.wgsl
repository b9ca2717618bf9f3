// Lists one occurrence per sequence, the one that represents it. `places` are the sums of its marks.
// One thread per occurrence.
//!use grid

struct Params { occurrences: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> names: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> list: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.occurrences && names[own] == own {
        list[places[own]] = own;
    }
}
