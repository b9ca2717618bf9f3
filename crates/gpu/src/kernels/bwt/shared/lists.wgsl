// Lists of symbols, most recently used first, and how to join them; for a kernel that has `lists`. A
// list has 64 words in memory, four symbols per word. While a thread works on it, it has one word per
// symbol.
//!use bytes
const LIST_WORDS = 64u;

var<private> list: array<u32, 256>;
var<private> list_size: u32;
// The next list. It is copied symbol by symbol, because drivers take very long to compile the
// assignment of a whole array.
var<private> next_list: array<u32, 256>;

fn symbol_of(number: u32, place: u32) -> u32 {
    return byte_of(lists[number * LIST_WORDS + place / 4u], place);
}

fn load_list(number: u32, size: u32) {
    list_size = size;
    for (var place = 0u; place < size; place++) {
        list[place] = symbol_of(number, place);
    }
}

// Moves the symbol at a position to the front and returns it.
fn take(start: u32) -> u32 {
    let symbol = list[start];
    for (var place = start; place > 0u; place--) {
        list[place] = list[place - 1u];
    }
    list[0] = symbol;
    return symbol;
}

// Four symbols of the list as a word.
fn list_word(word: u32) -> u32 {
    let place = 4u * word;
    return list[place] | (list[place + 1u] << 8u) | (list[place + 2u] << 16u)
        | (list[place + 3u] << 24u);
}

// One bit for each symbol that is in the list.
var<private> seen: array<u32, 8>;

// Whether a symbol is new. Marks it as seen.
fn is_new(symbol: u32) -> bool {
    let bit = 1u << (symbol % 32u);
    let before = seen[symbol / 32u];
    seen[symbol / 32u] = before | bit;
    return (before & bit) == 0u;
}

fn forget_seen() {
    for (var word = 0u; word < 8u; word++) {
        seen[word] = 0u;
    }
}

fn replace_list(size: u32) {
    for (var place = 0u; place < size; place++) {
        list[place] = next_list[place];
    }
    list_size = size;
}

// Updates the list by a substring, given the partial list of the substring: first its symbols, then the
// others (AppendUnique, algorithm 3).
fn append_to_recent(number: u32, size: u32) {
    forget_seen();
    for (var place = 0u; place < size; place++) {
        let symbol = symbol_of(number, place);
        next_list[place] = symbol;
        _ = is_new(symbol);
    }
    var end = size;
    for (var place = 0u; place < list_size; place++) {
        if is_new(list[place]) {
            next_list[end] = list[place];
            end++;
        }
    }
    replace_list(end);
}

// Applies a permutation to the list (algorithm 6).
fn permute(number: u32) {
    for (var place = 0u; place < 256u; place++) {
        next_list[place] = list[symbol_of(number, place)];
    }
    replace_list(256u);
}

// Joins by permutation or by partial list.
fn join_list(number: u32, size: u32, is_permutation: u32) {
    if is_permutation == 1u {
        permute(number);
    } else {
        append_to_recent(number, size);
    }
}
