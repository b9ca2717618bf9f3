// Computes the number of code bits of each 16 symbols, with a zero at the end for the total. One thread
// per word.
//!use grid
//!use codes

struct Params { symbols: u32, group: u32, alphabet: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read> selectors: array<u32>;
@group(0) @binding(3) var<storage, read> codes: array<u32>;
@group(0) @binding(4) var<storage, read_write> bits: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= arrayLength(&bits) {
        return;
    }
    let end = min(STRETCH * own + STRETCH, params.symbols);
    var sum = 0u;
    for (var at = STRETCH * own; at < end; at++) {
        sum += code_of(at) & 31u;
    }
    bits[own] = sum;
}
