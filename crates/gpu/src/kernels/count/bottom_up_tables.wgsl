// Bottom-up: every node has a table of the items that it expands to, built from its own items and from
// the tables of its children (gtadoc algorithm 2). One thread per symbol takes the symbol's own items
// and the first `slots` slots of its child's table. A *heavy* symbol, whose child has a larger table,
// gets one extra thread for each further `slots` slots. Steps are as in `top_down_totals`, in reverse.
//!use grid
//!use items
//!use table
//!use search(node_of, node_start)
//!use search(heavy_of, heavy_start)

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, nodes: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, has_spans: u32,
    step_count: u32, heavy: u32, slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// Three lists in one buffer, because a kernel has only eight: the first and end node of each step; for
// each step the first and end of its extra threads; for each heavy symbol its position and its first
// extra thread.
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> node_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(6) var<storage, read> table_starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

fn node_start(node: u32) -> u32 {
    return node_starts[node];
}

// Where a heavy symbol is in `steps`.
fn heavy_place(symbol: u32) -> u32 {
    return 4u * params.step_count + 2u * symbol;
}

// The first extra thread of a heavy symbol.
fn heavy_start(symbol: u32) -> u32 {
    return steps[heavy_place(symbol) + 1u];
}

// Adds a part of the items of the symbol at `at` to the table of its node.
fn add_symbol(at: u32, part: u32, first_node: u32, end_node: u32) {
    let node = node_of(first_node, end_node, at);
    let content = content_of(at);
    if part == 0u {
        for (var place = content.first; place < content.end; place++) {
            let item = item_at(place);
            if item < params.items {
                add_to_table(node, item, params.items, Long(1u, 0u));
            }
        }
    }
    if content.child >= params.nodes {
        return;
    }
    let first = table_starts[content.child] + params.slots * part;
    let end = min(first + params.slots, table_starts[content.child + 1u]);
    for (var slot = first; slot < end; slot++) {
        let key = atomicLoad(&pool[3u * slot]);
        if key != 0u {
            let count = Long(atomicLoad(&pool[3u * slot + 1u]), atomicLoad(&pool[3u * slot + 2u]));
            add_to_table(node, key - 1u, params.items, count);
        }
    }
}


@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let first_node = steps[2u * step];
        let end_node = steps[2u * step + 1u];
        let more = steps[2u * (params.step_count + step)];
        let more_end = steps[2u * (params.step_count + step) + 1u];
        let first = node_starts[first_node];
        let count = node_starts[end_node] - first;
        let end = count + more_end - more;
        for (var unit = thread; unit < end; unit += params.threads) {
            // `status` has the failure already, and the dispatch will be repeated.
            if probes_left == 0u {
                break;
            }
            var at = first + unit;
            var part = 0u;
            if unit >= count {
                let own = more + unit - count;
                let symbol = heavy_place(heavy_of(0u, params.heavy, own));
                at = steps[symbol];
                part = 1u + own - steps[symbol + 1u];
            }
            add_symbol(at, part, first_node, end_node);
        }
        storageBarrier();
    }
}
