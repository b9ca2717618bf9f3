// Where twice as many steps lead. One thread a position.
//!use grid

struct Params { positions: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read_write> doubled: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.positions {
        doubled[own] = steps[steps[own]];
    }
}
