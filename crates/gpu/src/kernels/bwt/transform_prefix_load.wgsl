// Loads the first four bytes of each rotation of a text. One thread per rotation.
//!use grid
//!use bytes

struct Params { rotations: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read_write> prefixes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= params.rotations {
        return;
    }
    var prefix = 0u;
    var at = own;
    for (var byte = 0u; byte < 4u; byte++) {
        prefix = (prefix << 8u) | byte_of(text[at / 4u], at);
        at = select(at + 1u, 0u, at + 1u == params.rotations);
    }
    prefixes[own] = prefix;
}
