// Moves keys and what belongs to them to their places by one digit, equal digits in their order.
// A key's rank in its tile is the number of earlier lanes with its digit: each digit has a mask of
// 256 bits in which its lanes set theirs. One barrier to clear, one to fill.
//!use grid

struct Params { keys: u32, shift: u32, digits: u32, tiles: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> payload: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> sorted_payload: array<u32>;

var<workgroup> lanes: array<atomic<u32>, 2048>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = workgroup_of(group);
    let at = tile * 256u + lane;
    for (var word = 0u; word < 8u; word++) {
        atomicStore(&lanes[word * 256u + lane], 0u);
    }
    workgroupBarrier();
    var key = 0u;
    var digit = 0u;
    if at < params.keys {
        key = keys[at];
        digit = (key >> params.shift) & (params.digits - 1u);
        atomicOr(&lanes[digit * 8u + lane / 32u], 1u << (lane % 32u));
    }
    workgroupBarrier();
    if at < params.keys {
        let own = lane / 32u;
        var rank = countOneBits(atomicLoad(&lanes[digit * 8u + own]) & ((1u << (lane % 32u)) - 1u));
        for (var word = 0u; word < own; word++) {
            rank += countOneBits(atomicLoad(&lanes[digit * 8u + word]));
        }
        let to = places[digit * params.tiles + tile] + rank;
        if to < params.keys {
            sorted_keys[to] = key;
            sorted_payload[to] = payload[at];
        }
    }
}
