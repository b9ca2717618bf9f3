// Finds which occurrences are the same sequence. `names` gets, for each occurrence, the one that
// represents the sequence. One thread per occurrence. Keys have many words, so a slot of the table
// holds the number of an occurrence, plus one. An earlier dispatch has written the words of the
// occurrence, so one exchange publishes it. An occurrence gets no name if its first word is outside the
// wanted range.
//!use grid
//!use mix
//!use status

struct Params {
    occurrences: u32, n: u32, slots: u32, first_word: u32, end_word: u32, probes: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read> occurrences: array<u32>;
@group(0) @binding(3) var<storage, read_write> slots: array<atomic<u32>>;
@group(0) @binding(4) var<storage, read_write> names: array<u32>;
@group(0) @binding(5) var<storage, read_write> marks: array<u32>;
@group(0) @binding(6) var<storage, read_write> status: array<atomic<u32>>;

fn is_same(a: u32, b: u32) -> bool {
    for (var place = 0u; place < params.n; place++) {
        if text[a + place] != text[b + place] {
            return false;
        }
    }
    return true;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= params.occurrences {
        return;
    }
    names[own] = 0xffffffffu;
    let words = occurrences[own];
    if text[words] < params.first_word || text[words] >= params.end_word {
        return;
    }
    var hash = 0u;
    for (var place = 0u; place < params.n; place++) {
        hash = mix(hash ^ (text[words + place] + 0x9e3779b9u + (hash << 6u)));
    }
    var slot = hash % params.slots;
    for (var probe = 0u; probe < params.probes; probe++) {
        var found = atomicLoad(&slots[slot]);
        if found == 0u {
            let exchange = atomicCompareExchangeWeak(&slots[slot], 0u, own + 1u);
            if exchange.exchanged {
                names[own] = own;
                marks[own] = 1u;
                return;
            }
            found = exchange.old_value;
        }
        if found != 0u {
            if is_same(occurrences[found - 1u], words) {
                names[own] = found - 1u;
                return;
            }
            slot = select(slot + 1u, 0u, slot + 1u == params.slots);
        }
    }
    atomicOr(&status[0], TABLE_TOO_SMALL);
}
