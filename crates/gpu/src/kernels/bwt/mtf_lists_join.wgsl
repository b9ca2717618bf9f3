// Joins the effects of up to 32 neighbouring lists. One thread per joined list.
//!use grid
//!use lists

struct Params { lists: u32, is_permutation: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> lists: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> joined: array<u32>;
@group(0) @binding(4) var<storage, read_write> joined_sizes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let first = own * 32u;
    if first >= params.lists {
        return;
    }
    load_list(first, sizes[first]);
    let end = min(first + 32u, params.lists);
    for (var number = first + 1u; number < end; number++) {
        join_list(number, sizes[number], params.is_permutation);
    }
    for (var word = 0u; 4u * word < list_size; word++) {
        joined[own * LIST_WORDS + word] = list_word(word);
    }
    joined_sizes[own] = list_size;
}
