// Bottom-up: writes the text around the borders of symbols in each node: its own words, and the first
// and last words of its children. Every sequence of n words that spans two or more symbols of a node is
// an *occurrence*, a position in this text. A sequence within one symbol belongs to that symbol's node
// (gtadoc section IV-D). The head of a node, its first n - 1 words, is the beginning of its text, and
// the tail is the end, so they need no buffers. A node of fewer than 2 (n - 1) words has all of its
// words there.
// One thread per node; steps as in `bottom_up_tables`. Sums of the sizes that the host has computed
// determine where the words and occurrences of a node are stored.
//!use nodes

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, nodes: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32, n: u32,
}

// Two lists of nodes + 1 starts: of the words and of the occurrences of each node.
@group(0) @binding(4) var<storage, read> starts: array<u32>;
@group(0) @binding(5) var<storage, read_write> text: array<u32>;
@group(0) @binding(6) var<storage, read_write> occurrences: array<u32>;
// One note per symbol, as in `shared/items.wgsl`.
@group(0) @binding(7) var<storage, read_write> notes: array<u32>;

const HAS_SEQUENCES = 0x80000000u;

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

fn visit(node: u32) {
    let list = params.nodes + 1u;
    let span = params.n - 1u;
    next_word = starts[node];
    next_occurrence = starts[list + node] - starts[list];
    // Consecutive words since the start, or since the gap in a long child.
    var unbroken = 0u;
    let end = node_starts[node + 1u];
    for (var at = node_starts[node]; at < end; at++) {
        let symbol = symbol_at(at);
        var note = next_occurrence;
        if symbol < params.tokens {
            unbroken += 1u;
            put(symbol, unbroken >= params.n);
        } else if symbol - params.tokens < params.nodes {
            let head_at = starts[symbol - params.tokens];
            let size = starts[symbol - params.tokens + 1u] - head_at;
            note |= select(0u, HAS_SEQUENCES, size >= params.n);
            let is_long = size >= 2u * span;
            let head = select(size, span, is_long);
            for (var word = 0u; word < head; word++) {
                unbroken += 1u;
                put(text[head_at + word], unbroken >= params.n && word < span);
            }
            if is_long {
                for (var word = size - span; word < size; word++) {
                    put(text[head_at + word], false);
                }
                unbroken = span;
            }
        }
        notes[at] = note;
    }
    if node + 1u == params.nodes {
        notes[end] = next_occurrence;
    }
}
