// Moves rotations to their places by one byte. Rotations with the same byte stay in order. A word holds
// the start of the rotation in its lowest 24 bits and the byte above them. The next byte comes from the
// prefix, by `shift`, unless this is the last round. In the first round the rotations are in text
// order: the words are the prefixes themselves, and the byte is the last one. A workgroup moves its
// tile of 4,096 rotations in 16 rounds, one per lane.
//!use grid
//!use digits

struct Params { rotations: u32, tiles: u32, is_first: u32, shift: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> words: array<u32>;
@group(0) @binding(2) var<storage, read> prefixes: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> moved: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let tile = workgroup_of(group);
    if tile < params.tiles {
        next[lane] = places[lane * params.tiles + tile];
    }
    forget_lanes(lane);
    workgroupBarrier();
    let end = min(tile * 4096u + 4096u, params.rotations);
    for (var first = tile * 4096u; first < end; first += 256u) {
        let at = first + lane;
        var word = 0u;
        var byte = 0u;
        if at < end {
            word = words[at];
            byte = select(word >> 24u, word & 0xffu, params.is_first == 1u);
            set_lane(byte, lane);
        }
        workgroupBarrier();
        if at < end {
            let to = place_of(byte, lane);
            var place = word & 0xffffffu;
            var prefix = word;
            if params.is_first == 1u {
                place = at;
            } else if params.shift < 32u {
                prefix = prefixes[place];
            }
            let after = select(0u, (prefix >> (params.shift & 31u)) << 24u, params.shift < 32u);
            if to < params.rotations {
                moved[to] = place | after;
            }
        }
        workgroupBarrier();
        move_on(lane);
        forget_lanes(lane);
        workgroupBarrier();
    }
}
