// Computes how the positions of each substring permute a list, by applying them to the list 0, 1, …
// (algorithm 5). One thread per substring of 128 positions.
//!use grid
//!use lists

struct Params { symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read_write> lists: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let first = own * 128u;
    if first >= params.symbols {
        return;
    }
    for (var place = 0u; place < 256u; place++) {
        list[place] = place;
    }
    let end = min(first + 128u, params.symbols);
    for (var at = first; at < end; at++) {
        _ = take(byte_of(places[at / 4u], at));
    }
    for (var word = 0u; word < LIST_WORDS; word++) {
        lists[own * LIST_WORDS + word] = list_word(word);
    }
    sizes[own] = 256u;
}
