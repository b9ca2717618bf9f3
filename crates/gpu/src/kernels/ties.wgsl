// Which rotations are still tied with others, and the row of each group's first. `numbers` are the
// sums of `heads`: a rotation is a head where they rise. One thread a rotation, and one for the
// zero behind them.
//!use grid

struct Params { listed: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> numbers: array<u32>;
@group(0) @binding(2) var<storage, read> rows: array<u32>;
@group(0) @binding(3) var<storage, read_write> head_rows: array<u32>;
@group(0) @binding(4) var<storage, read_write> ties: array<u32>;

fn is_head(own: u32) -> bool {
    return own >= params.listed || numbers[own + 1u] != numbers[own];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own > params.listed {
        return;
    }
    if own < params.listed && is_head(own) {
        head_rows[numbers[own]] = rows[own];
    }
    ties[own] = u32(!is_head(own) || !is_head(own + 1u));
}
