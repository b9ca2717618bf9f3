// Lists the symbols of each substring, most recently seen first: its partial list (algorithm 2). One
// thread per substring of 128 symbols.
//!use grid
//!use lists

struct Params { symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> text: array<u32>;
@group(0) @binding(2) var<storage, read_write> lists: array<u32>;
@group(0) @binding(3) var<storage, read_write> sizes: array<u32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let own = thread_of(place, 64u);
    let first = own * 128u;
    if first >= params.symbols {
        return;
    }
    forget_seen();
    var size = 0u;
    for (var at = min(first + 128u, params.symbols); at > first; at--) {
        let symbol = byte_of(text[(at - 1u) / 4u], at - 1u);
        if is_new(symbol) {
            list[size] = symbol;
            size++;
        }
    }
    for (var word = 0u; 4u * word < size; word++) {
        lists[own * LIST_WORDS + word] = list_word(word);
    }
    sizes[own] = size;
}
