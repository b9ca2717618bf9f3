// Counts how often each digit occurs in each tile of 4,096 keys. The count of digit d in tile t is
// stored at d * tiles + t, so that an exclusive sum yields the places of the tile's keys.
//!use grid

struct Params { keys: u32, shift: u32, digits: u32, tiles: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read_write> places: array<u32>;

var<workgroup> counts: array<atomic<u32>, 256>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = workgroup_of(group);
    let first = tile * 4096u;
    let end = min(first + 4096u, params.keys);
    atomicStore(&counts[lane], 0u);
    workgroupBarrier();
    for (var at = first + lane; at < end; at += 256u) {
        atomicAdd(&counts[(keys[at] >> params.shift) & (params.digits - 1u)], 1u);
    }
    workgroupBarrier();
    if lane < params.digits && tile < params.tiles {
        places[lane * params.tiles + tile] = atomicLoad(&counts[lane]);
    }
}
