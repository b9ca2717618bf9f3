// Top-down, per document: every node has a table of the documents that contain it, with its weight in
// each, and every document has a table of items with their counts (gtadoc section IV-C). One thread per
// slot of a node's table: it adds the slot's weight to the tables of the node's children and to the
// items of the document. Steps are as in `top_down_totals`.
//!use grid
//!use items
//!use table
//!use search(node_of_slot, table_start)

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, nodes: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, has_spans: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> node_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(6) var<storage, read> table_starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

fn table_start(table: u32) -> u32 {
    return table_starts[table];
}

fn add_slot(slot: u32, first_node: u32, end_node: u32) {
    let node = node_of_slot(first_node, end_node, slot);
    var document = node - params.first_document;
    var weight = Long(1u, 0u);
    if document >= params.documents {
        let key = atomicLoad(&pool[3u * slot]);
        if key == 0u {
            return;
        }
        document = key - 1u;
        weight = Long(atomicLoad(&pool[3u * slot + 1u]), atomicLoad(&pool[3u * slot + 2u]));
    }
    let end = node_starts[node + 1u];
    for (var at = node_starts[node]; at < end; at++) {
        let content = content_of(at);
        for (var place = content.first; place < content.end; place++) {
            let item = item_at(place);
            if item < params.items {
                add_to_table(params.nodes + document, item, params.items, weight);
            }
        }
        if content.child < params.nodes {
            add_to_table(content.child, document, params.documents, weight);
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let first_node = steps[2u * step];
        let end_node = steps[2u * step + 1u];
        let end = table_starts[end_node];
        for (var slot = table_starts[first_node] + thread; slot < end; slot += params.threads) {
            // `status` has the failure already, and the dispatch will be repeated.
            if probes_left == 0u {
                break;
            }
            add_slot(slot, first_node, end_node);
        }
        storageBarrier();
    }
}
