// Walks from starts along the list of rows, to the next start or for `steps` steps, and measures the
// length. One thread per walk.
//!use grid
//!use walks

struct Params { walks: u32, first: u32, steps: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> at: array<u32>;
@group(0) @binding(3) var<storage, read_write> lengths: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= params.walks || at[own] >= ENDED {
        return;
    }
    var row = at[own];
    var length = lengths[own];
    for (var step = 0u; step < params.steps && row < ENDED; step++) {
        row = links[row] & ROW;
        length += 1u;
        if is_start(row) {
            row = ended_at(row);
        }
    }
    at[own] = row;
    lengths[own] = length;
}
