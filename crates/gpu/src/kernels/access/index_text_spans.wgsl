// Computes the distance from the text of each symbol to that of the next: the symbol's length, plus the
// space that is implied between the two if they are in one rule or document. The sums of these spans
// are the paper's rootOffset (random-access-gpu section IV-B), for rules too. Also writes each symbol
// with its position, to be sorted. One thread per position.
//!use grid
//!use gap
//!use shape
//!use search(rule_at, rule_start)
//!use search(document_at, document_start)

struct Params { rules: u32, documents: u32, tokens: u32, symbols: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> shape: array<u32>;
@group(0) @binding(2) var<storage, read> symbols: array<u32>;
@group(0) @binding(3) var<storage, read> numbers: array<u32>;
@group(0) @binding(4) var<storage, read> ends: array<u32>;
@group(0) @binding(5) var<storage, read_write> spans: array<u32>;
@group(0) @binding(6) var<storage, read_write> keys: array<u32>;
@group(0) @binding(7) var<storage, read_write> positions: array<u32>;

fn ends_of(symbol: u32) -> u32 {
    if symbol < params.tokens {
        return (numbers[symbol] & 3u) * 5u;
    }
    return ends[symbol - params.tokens];
}

// Whether a rule or a document begins at a position.
fn is_start(position: u32) -> bool {
    if position < rule_start(1u) {
        return document_start(document_at(0u, params.documents, position)) == position;
    }
    return rule_start(rule_at(0u, params.rules, position)) == position;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at >= params.symbols {
        return;
    }
    let symbol = symbols[at];
    keys[at] = symbol;
    positions[at] = at;
    var span = 0u;
    if symbol < params.tokens {
        span = token_start(symbol + 1u) - token_start(symbol);
    } else {
        span = rule_length(symbol - params.tokens);
    }
    if at + 1u < params.symbols
        && gap(ends_of(symbol), ends_of(symbols[at + 1u])) > 0u && !is_start(at + 1u) {
        span += 1u;
    }
    spans[at] = span;
}
