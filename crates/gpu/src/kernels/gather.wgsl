// Bottom-up: every row has a table of the items that it stands for, made from its own and from the
// tables of the rows in it (gtadoc algorithm 2). One thread a symbol, for what it has itself and for
// `slots` slots of the table of its row; a heavy symbol, whose row has a larger table, has a thread more for
// each `slots` that follow. Steps are as in `weigh`, in reverse.
//!use grid
//!use items
//!use table

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, has_spans: u32,
    step_count: u32, heavy: u32, slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
// First and last row of each step; then as many pairs, the threads more that each step has, among
// all; then heavy symbols: where each stands, and how many threads more come before its own.
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> row_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(6) var<storage, read> table_starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

// Gathers a part of what a symbol has, in one of some rows.
fn gather(at: u32, part: u32, first_row: u32, end_row: u32) {
    // The last row that starts at or before the symbol.
    var row = first_row;
    var after = end_row;
    while after - row > 1u {
        let middle = row + (after - row) / 2u;
        if row_starts[middle] <= at {
            row = middle;
        } else {
            after = middle;
        }
    }
    let content = content_of(at);
    if part == 0u {
        for (var place = content.first; place < content.end; place++) {
            let item = item_at(place);
            if item < params.items {
                add_to_table(row, item, params.items, Long(1u, 0u));
            }
        }
    }
    if content.child >= params.rows {
        return;
    }
    let first = table_starts[content.child] + params.slots * part;
    let end = min(first + params.slots, table_starts[content.child + 1u]);
    for (var slot = first; slot < end; slot++) {
        let key = atomicLoad(&pool[3u * slot]);
        if key != 0u {
            let count = Long(atomicLoad(&pool[3u * slot + 1u]), atomicLoad(&pool[3u * slot + 2u]));
            add_to_table(row, key - 1u, params.items, count);
        }
    }
}

// The last heavy symbol whose threads start at or before one.
fn heavy_of(thread: u32) -> u32 {
    var symbol = 0u;
    var after = params.heavy;
    while after - symbol > 1u {
        let middle = symbol + (after - symbol) / 2u;
        if steps[4u * params.step_count + 2u * middle + 1u] <= thread {
            symbol = middle;
        } else {
            after = middle;
        }
    }
    return 4u * params.step_count + 2u * symbol;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let first_row = steps[2u * step];
        let end_row = steps[2u * step + 1u];
        let more = steps[2u * (params.step_count + step)];
        let more_end = steps[2u * (params.step_count + step) + 1u];
        let first = row_starts[first_row];
        let count = row_starts[end_row] - first;
        let end = count + more_end - more;
        for (var unit = thread; unit < end; unit += params.threads) {
            // A probe that is not allowed has been noted: the rest is not worth while.
            if probes_left == 0u {
                break;
            }
            var at = first + unit;
            var part = 0u;
            if unit >= count {
                let own = more + unit - count;
                let symbol = heavy_of(own);
                at = steps[symbol];
                part = 1u + own - steps[symbol + 1u];
            }
            gather(at, part, first_row, end_row);
        }
        storageBarrier();
    }
}
