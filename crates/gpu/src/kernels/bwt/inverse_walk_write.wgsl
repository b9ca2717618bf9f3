// Walks again, and writes the symbols of the walk to the text, at the place of the walk. The words of
// the text must be zero, because walks share the words at their ends. One thread per walk.
//!use grid
//!use walks

struct Params { walks: u32, first: u32, steps: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> links: array<u32>;
@group(0) @binding(2) var<storage, read_write> at: array<u32>;
@group(0) @binding(3) var<storage, read_write> places: array<u32>;
@group(0) @binding(4) var<storage, read_write> text: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own >= params.walks || at[own] >= ENDED {
        return;
    }
    var row = at[own];
    var to = places[own];
    var word = 0u;
    for (var step = 0u; step < params.steps && row < ENDED; step++) {
        let link = links[row];
        word |= (link >> 24u) << (8u * (to % 4u));
        to += 1u;
        if to % 4u == 0u {
            atomicOr(&text[to / 4u - 1u], word);
            word = 0u;
        }
        row = link & ROW;
        if is_start(row) {
            row = ended_at(row);
        }
    }
    if word != 0u {
        atomicOr(&text[to / 4u], word);
    }
    at[own] = row;
    places[own] = to;
}
