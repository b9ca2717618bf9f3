// Sets the rank of each listed rotation to the row of its group's head, and stores the rotation in its
// row. One thread per rotation.
//!use grid

struct Params { listed: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> head_rows: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> ranks: array<u32>;
@group(0) @binding(6) var<storage, read_write> order: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.listed {
        ranks[places[own]] = head_rows[numbers[own + 1u] - 1u];
        order[rows[own]] = places[own];
    }
}
