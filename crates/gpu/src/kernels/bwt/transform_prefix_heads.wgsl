// Sets a bit for each row whose prefix differs from that of the row before, and one bit after the last
// row. One thread per row.
//!use grid
//!use row_bits

struct Params { rotations: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> order: array<u32>;
@group(0) @binding(2) var<storage, read> prefixes: array<u32>;
@group(0) @binding(3) var<storage, read_write> heads: array<u32>;

var<workgroup> own_prefixes: array<u32, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = workgroup_of(group) * 256u;
    let row = first + lane;
    if row < params.rotations {
        own_prefixes[lane] = prefixes[order[row]];
    }
    workgroupBarrier();
    var is_head = row == 0u || row == params.rotations;
    if row > 0u && row < params.rotations {
        var before = 0u;
        if lane == 0u {
            before = prefixes[order[row - 1u]];
        } else {
            before = own_prefixes[lane - 1u];
        }
        is_head = own_prefixes[lane] != before;
    }
    set_row_bit(lane, is_head);
    let word = first / 32u + lane;
    if lane < 8u && word <= params.rotations / 32u {
        heads[word] = atomicLoad(&row_bits[lane]);
    }
}
