// Top-down: adds the weight of each node to the totals of its children and items (gtadoc algorithm 1).
// One thread per node. Totals of items come first, then weights of nodes.
//!use nodes
//!use items
//!use long
//!use status

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, nodes: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, has_spans: u32,
}

@group(0) @binding(6) var<storage, read_write> totals: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

fn add_total(at: u32, value: Long) {
    let carry = carry_of(atomicAdd(&totals[2u * at], value.x), value.x);
    let high = value.y + carry;
    if high < carry {
        atomicOr(&status[0], COUNT_TOO_LARGE);
    }
    if high > 0u && carry_of(atomicAdd(&totals[2u * at + 1u], high), high) > 0u {
        atomicOr(&status[0], COUNT_TOO_LARGE);
    }
}

fn visit(node: u32) {
    let own = 2u * (params.items + node);
    var weight = Long(1u, 0u);
    if node - params.first_document >= params.documents {
        weight = Long(atomicLoad(&totals[own]), atomicLoad(&totals[own + 1u]));
    }
    if weight.x == 0u && weight.y == 0u {
        return;
    }
    let end = node_starts[node + 1u];
    for (var at = node_starts[node]; at < end; at++) {
        let content = content_of(at);
        for (var place = content.first; place < content.end; place++) {
            let item = item_at(place);
            if item < params.items {
                add_total(item, weight);
            }
        }
        if content.child < params.nodes {
            add_total(params.items + content.child, weight);
        }
    }
}
