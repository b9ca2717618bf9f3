// Finds the rows that are tied with more than LARGEST_GROUP others: a bit per row, and the number of
// such rows per word, with a zero at the end. One thread per row.
//!use grid
//!use groups
//!use row_bits

struct Params { rotations: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> heads: array<u32>;
@group(0) @binding(2) var<storage, read_write> large: array<u32>;
@group(0) @binding(3) var<storage, read_write> counts: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = workgroup_of(group) * 256u;
    let row = first + lane;
    var is_large = false;
    if row < params.rotations {
        is_large = group_of(row).size > LARGEST_GROUP;
    }
    set_row_bit(lane, is_large);
    let word = first / 32u + lane;
    if lane < 8u && word < arrayLength(&large) {
        let bits = atomicLoad(&row_bits[lane]);
        large[word] = bits;
        counts[word] = countOneBits(bits);
    }
    if row == 0u {
        counts[arrayLength(&large)] = 0u;
    }
}
