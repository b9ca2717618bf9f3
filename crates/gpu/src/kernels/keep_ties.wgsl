// Lists the rotations that are still tied, and their rows. `numbers` are the sums of `ties`. One
// thread a rotation.
//!use grid

struct Params { listed: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> rows: array<u32>;
@group(0) @binding(4) var<storage, read_write> tied_places: array<u32>;
@group(0) @binding(5) var<storage, read_write> tied_rows: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.listed && numbers[own + 1u] != numbers[own] {
        tied_places[numbers[own]] = places[own];
        tied_rows[numbers[own]] = rows[own];
    }
}
