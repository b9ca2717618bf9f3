// Counts how often each symbol occurs (section 2.3.1). One workgroup counts 4,096 symbols in its own
// memory, and adds its counts to the totals.
//!use grid
//!use halves

struct Params { symbols: u32, alphabet: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> found: array<atomic<u32>, 2048>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    for (var symbol = lane; symbol < params.alphabet; symbol += 256u) {
        atomicStore(&found[symbol], 0u);
    }
    workgroupBarrier();
    let first = workgroup_of(group) * 4096u;
    let end = min(first + 4096u, params.symbols);
    for (var at = first + lane; at < end; at += 256u) {
        atomicAdd(&found[symbol_of(at)], 1u);
    }
    workgroupBarrier();
    for (var symbol = lane; symbol < params.alphabet; symbol += 256u) {
        let count = atomicLoad(&found[symbol]);
        if count > 0u {
            atomicAdd(&counts[symbol], count);
        }
    }
}
