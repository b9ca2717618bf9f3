// Visits the nodes of steps, for a kernel whose `Params` begin with the parameters of steps, and that
// has a function `visit` of a node. A dispatch of one workgroup may run many steps, with a barrier
// between them. A dispatch of several workgroups runs one step.
//!use grid
//!use packed_symbols

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> node_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let end = steps[2u * step + 1u];
        for (var node = steps[2u * step] + thread; node < end; node += params.threads) {
            visit(node);
        }
        storageBarrier();
    }
}
