// Follows the groups from the first whose start is unknown to the last that begins in the window. Each
// group ends where the jump of its table leads; without a jump it ends nowhere. The word after the
// starts is the number of known starts. One thread.

struct Params { first: u32, positions: u32, groups: u32 }

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
    while known < params.groups && starts[known] < params.first + params.positions {
        let start = starts[known];
        let at = selectors[known] * params.positions + start - params.first;
        let jump = extractBits(jumps[at / 2u], 16u * (at % 2u), 16u);
        known += 1u;
        starts[known] = select(start + jump, 0xffffffffu, jump == 0u);
    }
    starts[params.groups + 1u] = known;
}
