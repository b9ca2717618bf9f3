// Copies the word at one position of each listed sequence. One thread per sequence.
//!use grid

struct Params { sequences: u32, place: u32, to: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read> occurrences: array<u32>;
@group(0) @binding(3) var<storage, read> list: array<u32>;
@group(0) @binding(4) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own < params.sequences {
        words[params.to + own] = text[occurrences[list[own]] + params.place];
    }
}
