// Computes the bytes of each chunk of coded symbols, from the sums of bits of each 16 symbols, with a
// zero at the end. One thread per chunk, and one more.
//!use grid

struct Params { symbols: u32, chunk: u32, chunks: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> sums: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.chunks {
        let first = own * params.chunk;
        let end = min(first + params.chunk, params.symbols);
        sizes[own] = (sums[(end + 15u) / 16u] - sums[first / 16u] + 7u) / 8u;
    } else if own == params.chunks {
        sizes[own] = 0u;
    }
}
