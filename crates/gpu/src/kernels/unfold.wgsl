// The text around the borders in each row: its words, and the first and last words of the rows in it.
// Every sequence of n words that spans two or more of a row's symbols is an *occurrence*, a place in
// that text; sequences within a symbol belong to that symbol's row (gtadoc section IV-D).
// One thread a row. Where a row's words and occurrences go, sums of what `survey` found tell.
//!use grid
//!use edge

struct Params {
    first_row: u32, end_row: u32, tokens: u32, rows: u32, words: u32, n: u32, symbol_base: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> row_starts: array<u32>;
@group(0) @binding(2) var<storage, read> symbols: array<u32>;
@group(0) @binding(3) var<storage, read> numbers: array<u32>;
@group(0) @binding(4) var<storage, read> edge_starts: array<u32>;
@group(0) @binding(5) var<storage, read> edge_words: array<u32>;
// Three lists of rows + 1, where each row's begin: words, occurrences, rows.
@group(0) @binding(6) var<storage, read> starts: array<u32>;
@group(0) @binding(7) var<storage, read_write> text: array<u32>;
@group(0) @binding(8) var<storage, read_write> occurrences: array<u32>;

var<private> next_word: u32;
var<private> next_occurrence: u32;

fn put(word: u32, ends_sequence: bool) {
    text[next_word] = word;
    next_word += 1u;
    if ends_sequence {
        occurrences[next_occurrence] = next_word - params.n;
        next_occurrence += 1u;
    }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let row = params.first_row + thread_of(place, 64u);
    if row >= params.end_row {
        return;
    }
    let list = params.rows + 1u;
    next_word = starts[row];
    next_occurrence = starts[list + row] - starts[list];
    // Words in a row since the start, or since the middle of a long row.
    var unbroken = 0u;
    let end = row_starts[row + 1u] - params.symbol_base;
    for (var at = row_starts[row] - params.symbol_base; at < end; at++) {
        let symbol = symbols[at];
        if symbol < params.tokens {
            let word = numbers[symbol];
            if word < params.words {
                unbroken += 1u;
                put(word, unbroken >= params.n);
            }
            continue;
        }
        let edge = edge_of(symbol - params.tokens);
        for (var word = 0u; word < edge.head; word++) {
            unbroken += 1u;
            put(edge_words[edge.start + word], unbroken >= params.n && word + 1u < params.n);
        }
        if edge.is_long {
            for (var word = 0u; word < edge.head; word++) {
                put(edge_words[edge.start + edge.tail + word], false);
            }
            unbroken = edge.head;
        }
    }
}
