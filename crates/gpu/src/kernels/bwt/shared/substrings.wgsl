// Passes the symbols of substrings through the list, for a kernel that has `front`, which maps a symbol
// to a position or back. One thread per substring of 128 symbols; `lists` are the lists before each
// substring.
//!use grid
//!use lists

struct Params { symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> given: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<u32>;
@group(0) @binding(3) var<storage, read_write> found: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let first = own * 128u;
    if first >= params.symbols {
        return;
    }
    load_list(own, 256u);
    let end = min(first + 128u, params.symbols);
    var word = 0u;
    for (var at = first; at < end; at++) {
        word |= front(byte_of(given[at / 4u], at)) << (8u * (at % 4u));
        if at % 4u == 3u || at + 1u == end {
            found[at / 4u] = word;
            word = 0u;
        }
    }
}
