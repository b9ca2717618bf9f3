// Replaces the effect of each substring by the list before it, given the lists before groups of 32. One
// thread per group.
//!use grid
//!use lists

struct Params { lists: u32, is_permutation: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> before: array<u32>;
@group(0) @binding(2) var<storage, read> sizes: array<u32>;
@group(0) @binding(3) var<storage, read_write> lists: array<u32>;

var<private> words: array<u32, 64>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let first = own * 32u;
    if first >= params.lists {
        return;
    }
    list_size = 256u;
    for (var place = 0u; place < 256u; place++) {
        list[place] = byte_of(before[own * LIST_WORDS + place / 4u], place);
    }
    let end = min(first + 32u, params.lists);
    for (var number = first; number < end; number++) {
        for (var word = 0u; word < LIST_WORDS; word++) {
            words[word] = list_word(word);
        }
        join_list(number, sizes[number], params.is_permutation);
        for (var word = 0u; word < LIST_WORDS; word++) {
            lists[number * LIST_WORDS + word] = words[word];
        }
    }
}
