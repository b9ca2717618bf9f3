// Finds which of the sorted rotations differ from the one before, in their key or in the rank ahead.
// One more word, zero, makes room for the total. The rows of these rotations get head bits. One thread
// per word.
//!use grid

struct Params { listed: u32, rotations: u32, ahead: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> places: array<u32>;
@group(0) @binding(3) var<storage, read> ranks: array<u32>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> heads: array<u32>;
@group(0) @binding(6) var<storage, read_write> row_heads: array<atomic<u32>>;

fn rank_ahead(own: u32) -> u32 {
    let at = places[own] + params.ahead;
    return ranks[select(at, at - params.rotations, at >= params.rotations)];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own > params.listed {
        return;
    }
    var is_head = own == 0u;
    if own > 0u && own < params.listed {
        is_head = keys[own] != keys[own - 1u] || rank_ahead(own) != rank_ahead(own - 1u);
    }
    heads[own] = u32(is_head);
    if is_head {
        let row = rows[own];
        atomicOr(&row_heads[row / 32u], 1u << (row % 32u));
    }
}
