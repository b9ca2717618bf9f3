// Writes codes, the first bit in the highest bit of a word. The position of 16 symbols is the start of
// their chunk plus the bits before them in it (section 2.3.3). Words must be zero, because neighbours
// share them. One thread per 16 symbols, which begin in the same chunk.
//!use grid
//!use codes

struct Params { symbols: u32, group: u32, alphabet: u32, chunk: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read> selectors: array<u32>;
@group(0) @binding(3) var<storage, read> codes: array<u32>;
@group(0) @binding(4) var<storage, read> sums: array<u32>;
@group(0) @binding(5) var<storage, read> chunk_starts: array<u32>;
@group(0) @binding(6) var<storage, read_write> coded: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if STRETCH * own >= params.symbols {
        return;
    }
    let chunk = STRETCH * own / params.chunk;
    var bit = 8u * chunk_starts[chunk] + sums[own] - sums[chunk * params.chunk / STRETCH];
    let end = min(STRETCH * own + STRETCH, params.symbols);
    for (var at = STRETCH * own; at < end; at++) {
        let code = code_of(at) >> 5u;
        let length = code_of(at) & 31u;
        let room = 32u - bit % 32u;
        if length <= room {
            atomicOr(&coded[bit / 32u], code << (room - length));
        } else {
            let rest = length - room;
            atomicOr(&coded[bit / 32u], code >> rest);
            atomicOr(&coded[bit / 32u + 1u], code << (32u - rest));
        }
        bit += length;
    }
}
