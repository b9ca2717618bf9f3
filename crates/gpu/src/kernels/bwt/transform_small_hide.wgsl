// Takes groups that are not large out of the bits of heads: each of their rows is as if it differed
// from the one before. `aside` keeps their bits, and is so of the rows of large ones. One thread a word.
//!use grid

struct Params { words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> large: array<u32>;
@group(0) @binding(2) var<storage, read_write> heads: array<u32>;
@group(0) @binding(3) var<storage, read_write> aside: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let word = thread_of(place, 64u);
    if word < params.words {
        let bits = heads[word];
        aside[word] = bits | large[word];
        heads[word] = bits | ~large[word];
    }
}
