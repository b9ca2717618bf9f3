// Moves keys and payloads to their places by one digit. Keys with the same digit stay in order. A
// workgroup moves its tile of 4,096 keys in 16 rounds, one key per lane.
//!use grid
//!use digits

struct Params { keys: u32, shift: u32, digits: u32, tiles: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> keys: array<u32>;
@group(0) @binding(2) var<storage, read> payload: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> sorted_keys: array<u32>;
@group(0) @binding(5) var<storage, read_write> sorted_payload: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = workgroup_of(group);
    if lane < params.digits && tile < params.tiles {
        next[lane] = places[lane * params.tiles + tile];
    }
    forget_lanes(lane);
    workgroupBarrier();
    let end = min(tile * 4096u + 4096u, params.keys);
    for (var first = tile * 4096u; first < end; first += 256u) {
        let at = first + lane;
        var key = 0u;
        var digit = 0u;
        if at < end {
            key = keys[at];
            digit = (key >> params.shift) & (params.digits - 1u);
            set_lane(digit, lane);
        }
        workgroupBarrier();
        if at < end {
            let to = place_of(digit, lane);
            if to < params.keys {
                sorted_keys[to] = key;
                sorted_payload[to] = payload[at];
            }
        }
        workgroupBarrier();
        move_on(lane);
        forget_lanes(lane);
        workgroupBarrier();
    }
}
