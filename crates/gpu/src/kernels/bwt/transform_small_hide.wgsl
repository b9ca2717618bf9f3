// Hides the small groups in the head bits: each of their rows becomes a head. `hidden` keeps their head
// bits, and has a bit for every row of a large group. One thread per word.
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
