// Restores the head bits of the groups that `transform_small_hide` has hidden. One thread per word.
//!use grid

struct Params { words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> aside: array<u32>;
@group(0) @binding(2) var<storage, read_write> heads: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let word = thread_of(place, 64u);
    if word < params.words {
        heads[word] &= aside[word];
    }
}
