// Tables in a pool, for a kernel that has `table_starts`, `pool` and `status`. A slot is three words:
// key + 1, and a 64-bit count. One exchange publishes a key, so no thread waits for another.
//!use long
//!use mix
//!use status

// A longer search makes the dispatch fail, and it is repeated with larger tables. One bound is for a
// single search, the other for all searches of a thread.
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

// Adds to the count of a key. Keys are below `keys`.
fn add_to_table(table: u32, key: u32, keys: u32, value: Long) {
    let first = table_starts[table];
    let size = table_starts[table + 1u] - first;
    if size == 0u {
        atomicOr(&status[0], TABLE_TOO_SMALL);
        return;
    }
    // A table with one slot per key uses the key as the slot.
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
        // An exchange may fail spuriously. Then the same slot is tried again.
        if found != 0u {
            at = select(at + 1u, 0u, at + 1u == size);
        }
    }
    atomicOr(&status[0], TABLE_TOO_SMALL);
}
