// Turns positions that are sorted by symbol into the paper's word2rule and rule2location: where the
// places of each symbol begin, where its places in rules begin, and the rule or document of each place.
// One thread per place and symbol.
//!use grid
//!use shape
//!use lower_place
//!use search(rule_at, rule_start)
//!use search(document_at, document_start)

struct Params { rules: u32, documents: u32, tokens: u32, symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> shape: array<u32>;
@group(0) @binding(2) var<storage, read> keys: array<u32>;
@group(0) @binding(3) var<storage, read> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> owners: array<u32>;
@group(0) @binding(5) var<storage, read_write> starts: array<u32>;

// The rule, or the document of the root, that contains a position.
fn owner_of(position: u32) -> u32 {
    if position < rule_start(1u) {
        return document_at(0u, params.documents, position);
    }
    return rule_at(0u, params.rules, position);
}

fn lower_key(key: u32) -> u32 {
    var low = 0u;
    var high = params.symbols;
    while low < high {
        let middle = low + (high - low) / 2u;
        if keys[middle] < key { low = middle + 1u; } else { high = middle; }
    }
    return low;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at < params.symbols {
        owners[at] = owner_of(places[at]);
    }
    let kinds = params.tokens + params.rules + 1u;
    if at < kinds {
        let start = lower_key(at);
        starts[at] = start;
        starts[kinds + at] = lower_place(start, lower_key(at + 1u), rule_start(1u));
    }
}
