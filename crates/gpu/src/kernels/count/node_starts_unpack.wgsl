// Widens 16-bit numbers, two per word, to words: lengths, whose sums are the starts of nodes. One
// thread per number.
//!use grid
//!use halves

struct Params { numbers: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> symbols: array<u32>;
@group(0) @binding(2) var<storage, read_write> words: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let number = thread_of(place, 64u);
    if number < params.numbers {
        words[number] = symbol_of(number);
    }
}
