// Decodes the symbols of groups, up to the end symbol or to bits that are no code; from there on the
// result is NONE. After all symbols comes, for each group, the bit after its last symbol. One thread
// per group.
//!use grid
//!use coded

struct Params { bits: u32, groups: u32, group: u32, symbols: u32, end: u32, table_words: u32 }

const NONE = 0xffffu;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> coded: array<u32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read> selectors: array<u32>;
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> symbols: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= params.groups {
        return;
    }
    let first = own * params.group;
    let count = min(params.symbols - first, params.group);
    var at = starts[own];
    var is_open = own <= starts[params.groups + 1u];
    for (var place = 0u; place < count; place++) {
        var symbol = NONE;
        if is_open && at < params.bits {
            let found = find_code(selectors[own], at);
            is_open = found.length > 0u && at + found.length <= params.bits;
            if is_open {
                symbol = found.symbol;
                at += found.length;
                is_open = symbol != params.end;
            }
        }
        symbols[first + place] = symbol;
    }
    symbols[params.symbols + own] = at;
}
