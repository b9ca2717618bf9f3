// How many slots each table gets: a node's table of documents, from the node's weight; a document's
// table of items, from its length: as many words, and sequences of `span` words more. One thread a
// table. The sum of all goes to `status`, in 64 bits.
//!use grid
//!use long
//!use slots

struct Params {
    nodes: u32, first_document: u32, documents: u32, items: u32, span: u32, grow: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> totals: array<u32>;
// Of documents.
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
