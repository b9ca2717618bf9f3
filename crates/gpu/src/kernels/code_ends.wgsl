// Where the code that begins at each bit of a window ends, by one table. Positions count from the
// window's first bit; those past its end, and of bits that are no code, are its end. One thread a
// position.
//!use grid
//!use coded

struct Params { first: u32, size: u32, bits: u32, table: u32, table_words: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> coded: array<u32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> ends: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    if own > params.size {
        return;
    }
    var end = params.size;
    if own < params.size {
        let found = find_code(params.table, params.first + own);
        if found.length > 0u && params.first + own + found.length <= params.bits {
            end = min(own + found.length, params.size);
        }
    }
    ends[own] = end;
}
