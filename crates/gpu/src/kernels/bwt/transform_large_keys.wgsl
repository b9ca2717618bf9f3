// Computes the sort key of each listed rotation: the rank of the rotation that begins `ahead` bytes
// later, divided by `unit`. One thread per rotation.
//!use grid

struct Params { listed: u32, rotations: u32, ahead: u32, unit: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> ranks: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read_write> keys: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.listed {
        let at = places[own] + params.ahead;
        keys[own] = ranks[select(at, at - params.rotations, at >= params.rotations)] / params.unit;
    }
}
