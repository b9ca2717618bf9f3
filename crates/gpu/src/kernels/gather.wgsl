// Bottom-up: every row has a table of the items that it stands for, made from its words and from the
// tables of the rows in it (gtadoc algorithm 2). One thread a unit: a word, or `slots` slots of the
// table of a row: 64, or more if tables were made larger. Steps are as in `measure`.
//!use grid
//!use table

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, slots: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> row_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(4) var<storage, read> numbers: array<u32>;
@group(0) @binding(5) var<storage, read> table_starts: array<u32>;
@group(0) @binding(6) var<storage, read> unit_starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(8) var<storage, read_write> status: array<atomic<u32>>;

fn gather(unit: u32, first_row: u32, end_row: u32) {
    // The last symbol whose units start at or before this one.
    var at = row_starts[first_row];
    var after = row_starts[end_row];
    while after - at > 1u {
        let middle = at + (after - at) / 2u;
        if unit_starts[middle] <= unit {
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
    let symbol = symbols[at];
    if symbol < params.tokens {
        let item = numbers[symbol];
        if item < params.items {
            add_to_table(row, item, params.items, Long(1u, 0u));
        }
        return;
    }
    let child = symbol - params.tokens;
    if child >= params.rows {
        return;
    }
    let first = table_starts[child] + params.slots * (unit - unit_starts[at]);
    let end = min(first + params.slots, table_starts[child + 1u]);
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
        let end = unit_starts[row_starts[end_row]];
        for (var unit = unit_starts[row_starts[first_row]] + thread; unit < end; unit += params.threads) {
            // A probe that is not allowed has been noted: the rest is not worth while.
            if probes_left == 0u {
                break;
            }
            gather(unit, first_row, end_row);
        }
        storageBarrier();
    }
}
