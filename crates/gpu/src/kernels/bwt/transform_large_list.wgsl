// Lists the rows of large groups: the starts of their rotations, the rows, and which of them are heads.
// `numbers` is the number of such rows before each word of bits. One thread per row, which also writes
// the zero at the end.
//!use grid

struct Params { rotations: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> large: array<u32>;
@group(0) @binding(2) var<storage, read> numbers: array<u32>;
@group(0) @binding(3) var<storage, read> heads: array<u32>;
@group(0) @binding(4) var<storage, read> order: array<u32>;
@group(0) @binding(5) var<storage, read_write> places: array<u32>;
@group(0) @binding(6) var<storage, read_write> rows: array<u32>;
@group(0) @binding(7) var<storage, read_write> listed_heads: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = thread_of(place, 64u);
    if row == 0u {
        listed_heads[arrayLength(&places)] = 0u;
    }
    if row >= params.rotations {
        return;
    }
    let bits = large[row / 32u];
    let bit = 1u << (row % 32u);
    if (bits & bit) != 0u {
        let at = numbers[row / 32u] + countOneBits(bits & (bit - 1u));
        places[at] = order[row];
        rows[at] = row;
        listed_heads[at] = extractBits(heads[row / 32u], row % 32u, 1u);
    }
}
