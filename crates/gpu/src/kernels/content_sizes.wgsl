// How many slots each row's table of items gets: for as many as the row has words, or sequences of
// `span` words more, or for all items. One thread a row. The sum of all goes to `status`, in 64 bits.
//!use grid
//!use long
//!use slots

struct Params { rows: u32, items: u32, span: u32, grow: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> lengths: array<u32>;
@group(0) @binding(2) var<storage, read_write> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> status: array<atomic<u32>>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = thread_of(place, 64u);
    if row >= params.rows {
        return;
    }
    let most = min(lengths[row] - min(lengths[row], params.span), params.items);
    let size = slots_for(most, params.items, params.grow);
    sizes[row] = size;
    let carry = carry_of(atomicAdd(&status[1], size), size);
    if carry > 0u {
        atomicAdd(&status[2], carry);
    }
}
