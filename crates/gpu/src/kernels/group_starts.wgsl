// Where groups begin, from the first one that is not known yet to the last that begins in the window:
// each ends where its table's jump leads. The word behind the starts is how many are known. One thread.

struct Params { first: u32, size: u32, turn: u32, groups: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> jumps: array<u32>;
@group(0) @binding(2) var<storage, read> selectors: array<u32>;
@group(0) @binding(3) var<storage, read_write> starts: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    if place.x > 0u || place.y > 0u {
        return;
    }
    var known = starts[params.groups + 1u];
    while known < params.groups && starts[known] < params.first + params.turn {
        let at = starts[known] - params.first;
        let end = jumps[selectors[known] * (params.size + 1u) + at];
        known += 1u;
        starts[known] = params.first + end;
    }
    starts[params.groups + 1u] = known;
}
