// Top-down for each document apart: every row has a table of the documents that it stands in, with
// its weight in each, every document a table of words with their counts (gtadoc section IV-C). One
// thread a slot of a row's table: it hands the slot's weight to the tables of the rows and words in
// the row. Steps are as in `weigh`.
//
// A slot is three words: key + 1, and a count of 64 bits. One exchange publishes a key, so no thread
// waits for another.
//!use grid
//!use long
//!use mix
//!use status

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, rows: u32, words: u32,
    first_document: u32, documents: u32, symbol_base: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> steps: array<u32>;
@group(0) @binding(2) var<storage, read> row_starts: array<u32>;
@group(0) @binding(3) var<storage, read> symbols: array<u32>;
@group(0) @binding(4) var<storage, read> numbers: array<u32>;
@group(0) @binding(5) var<storage, read> table_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> pool: array<atomic<u32>>;
@group(0) @binding(7) var<storage, read_write> status: array<atomic<u32>>;

// Longer searches end the dispatch: it is repeated with larger tables. One bound for a search, one
// for all searches of a thread.
const MOST_PROBES = 256u;
var<private> probes_left: u32 = 20000u;

fn add_to_slot(slot: u32, value: Long) {
    let carry = carry_of(atomicAdd(&pool[3u * slot + 1u], value.x), value.x);
    let high = value.y + carry;
    if high < carry {
        atomicOr(&status[0], COUNT_TOO_LARGE);
    }
    if high > 0u && carry_of(atomicAdd(&pool[3u * slot + 2u], high), high) > 0u {
        atomicOr(&status[0], COUNT_TOO_LARGE);
    }
}

fn add_to_table(table: u32, key: u32, keys: u32, value: Long) {
    let first = table_starts[table];
    let size = table_starts[table + 1u] - first;
    if size == 0u {
        atomicOr(&status[0], TABLE_TOO_SMALL);
        return;
    }
    // A table with a slot for every key has each in its own.
    var at = select(mix(key), key, size == keys) % size;
    let most = min(MOST_PROBES, probes_left);
    for (var probe = 0u; probe < most; probe++) {
        probes_left -= 1u;
        var found = atomicLoad(&pool[3u * (first + at)]);
        if found == 0u {
            let exchange = atomicCompareExchangeWeak(&pool[3u * (first + at)], 0u, key + 1u);
            found = select(exchange.old_value, key + 1u, exchange.exchanged);
        }
        if found == key + 1u {
            add_to_slot(first + at, value);
            return;
        }
        // An exchange may fail for no reason: then the slot is tried again.
        if found != 0u {
            at = select(at + 1u, 0u, at + 1u == size);
        }
    }
    atomicOr(&status[0], TABLE_TOO_SMALL);
}

fn spread(slot: u32, first_row: u32, end_row: u32) {
    // The last row whose table starts at or before the slot.
    var row = first_row;
    var after = end_row;
    while after - row > 1u {
        let middle = row + (after - row) / 2u;
        if table_starts[middle] <= slot {
            row = middle;
        } else {
            after = middle;
        }
    }
    var document = row - params.first_document;
    var weight = Long(1u, 0u);
    if document >= params.documents {
        let key = atomicLoad(&pool[3u * slot]);
        if key == 0u {
            return;
        }
        document = key - 1u;
        weight = Long(atomicLoad(&pool[3u * slot + 1u]), atomicLoad(&pool[3u * slot + 2u]));
    }
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol >= params.tokens {
            let child = symbol - params.tokens;
            if child < params.rows {
                add_to_table(child, document, params.documents, weight);
            }
        } else {
            let word = numbers[symbol];
            if word < params.words {
                add_to_table(params.rows + document, word, params.words, weight);
            }
        }
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let thread = thread_of(place, 64u);
    for (var step = params.first_step; step < params.end_step; step++) {
        let first_row = steps[2u * step];
        let end_row = steps[2u * step + 1u];
        let end = table_starts[end_row];
        for (var slot = table_starts[first_row] + thread; slot < end; slot += params.threads) {
            // A probe that is not allowed has been noted: the rest is not worth while.
            if probes_left == 0u {
                break;
            }
            spread(slot, first_row, end_row);
        }
        storageBarrier();
    }
}
