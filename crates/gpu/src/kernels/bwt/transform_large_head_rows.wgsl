// Stores the row of the head of each listed group. `numbers` are the sums of `heads`: a rotation is a
// head where they rise. One thread per rotation.
//!use grid

struct Params { listed: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> head_rows: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.listed && numbers[own + 1u] != numbers[own] {
        head_rows[numbers[own]] = rows[own];
    }
}
