// Symbols become their places in the list, and move to its front (algorithm 1). One thread a
// substring of 128 symbols; `lists` are those before each.
//!use grid
//!use lists

struct Params { symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<u32>;
@group(0) @binding(3) var<storage, read_write> places: array<u32>;

// Everything before the symbol moves one place on as it is passed.
fn find(symbol: u32) -> u32 {
    var moved = list[0];
    var place = 0u;
    while moved != symbol && place < 255u {
        place++;
        let next = list[place];
        list[place] = moved;
        moved = next;
    }
    list[0] = symbol;
    return place;
}

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
        word |= find(byte_of(text[at / 4u], at)) << (8u * (at % 4u));
        if at % 4u == 3u || at + 1u == end {
            places[at / 4u] = word;
            word = 0u;
        }
    }
}
