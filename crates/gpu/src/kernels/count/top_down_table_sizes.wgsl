// Computes the number of slots of each table. A node's table of documents depends on its weight. A
// document's table of items depends on its length: as many words, or that many sequences less `span`.
// One thread per table. The 64-bit sum of all sizes is stored in `status`.
//!use grid
//!use long
//!use slots

struct Params {
    nodes: u32, first_document: u32, documents: u32, items: u32, span: u32, grow: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> totals: array<u32>;
// The lengths of documents.
@group(0) @binding(2) var<storage, read> lengths: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;
@group(0) @binding(4) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let table = thread_of(place, 64u);
    if table >= params.nodes + params.documents {
        return;
    }
    var size = 0u;
    if table >= params.nodes {
        let length = lengths[table - params.nodes];
        let most = min(length - min(length, params.span), params.items);
        size = slots_for(most, params.items, params.grow);
    } else if table - params.first_document < params.documents {
        size = 1u;
    } else {
        let weight = select(totals[2u * table], 0xffffffffu, totals[2u * table + 1u] > 0u);
        size = slots_for(min(weight, params.documents), params.documents, params.grow);
    }
    sizes[table] = size;
    let carry = carry_of(atomicAdd(&status[1], size), size);
    if carry > 0u {
        atomicAdd(&status[2], carry);
    }
}
