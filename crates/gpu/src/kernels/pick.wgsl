// Words at listed places. One thread a place.
//!use grid

struct Params { places: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> data: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> picked: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at < params.places {
        picked[at] = data[places[at]];
    }
}
