// Adds to each word the sum of the tiles of 4,096 words before its own.
//!use grid

struct Params { words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read_write> data: array<u32>;
@group(0) @binding(2) var<storage, read> tile_starts: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at < params.words {
        data[at] += tile_starts[at / 4096u];
    }
}
