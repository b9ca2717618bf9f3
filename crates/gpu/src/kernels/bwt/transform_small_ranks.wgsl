// Sets the rank of each rotation in a small group to the row of the group's head: for all rotations, or
// for those whose group has another head than before. One thread per row.
//!use grid
//!use groups

struct Params { rotations: u32, are_all: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> old_heads: array<u32>;
@group(0) @binding(2) var<storage, read> heads: array<u32>;
@group(0) @binding(3) var<storage, read> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> ranks: array<u32>;

fn was_head(row: u32) -> bool {
    return extractBits(old_heads[row / 32u], row % 32u, 1u) == 1u;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = thread_of(place, 64u);
    if row >= params.rotations {
        return;
    }
    // The first part of a divided group keeps its head, so its ranks stay.
    if params.are_all == 1u || !was_head(row) {
        let own = group_of(row);
        if own.size <= LARGEST_GROUP && (params.are_all == 1u || !was_head(own.head)) {
            ranks[order[row]] = own.head;
        }
    }
}
