// Bottom-up: every row has a table of the items that it stands for, made from its own and from the
// tables of the rows in it (gtadoc algorithm 2). One thread a unit: what a symbol has itself, and
// `slots` slots of the table of its row: 256, or more if tables were made larger. Steps are as in
// `measure`.
//!use grid
//!use items
//!use packed
//!use table

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, span_base: u32, slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> row_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(6) var<storage, read> table_starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

fn gather(unit: u32, first_row: u32, end_row: u32) {
    // The last symbol whose units start at or before this one.
    var at = row_starts[first_row];
    var after = row_starts[end_row];
    while after - at > 1u {
        let middle = at + (after - at) / 2u;
        if notes[middle] <= unit {
            at = middle;
        } else {
            after = middle;
        }
    }
    // The last row that starts at or before the symbol.
    var row = first_row;
    after = end_row;
    while after - row > 1u {
        let middle = row + (after - row) / 2u;
        if row_starts[middle] <= at {
            row = middle;
        } else {
            after = middle;
        }
    }
    let part = unit - notes[at];
    let content = content_of(at, symbol_at(at));
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

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let first_row = steps[2u * step];
        let end_row = steps[2u * step + 1u];
        let end = notes[row_starts[end_row]];
        for (var unit = notes[row_starts[first_row]] + thread; unit < end; unit += params.threads) {
            // A probe that is not allowed has been noted: the rest is not worth while.
            if probes_left == 0u {
                break;
            }
            gather(unit, first_row, end_row);
        }
        storageBarrier();
    }
}
