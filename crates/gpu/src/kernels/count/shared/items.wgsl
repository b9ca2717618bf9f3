// What a symbol stands for, for a kernel whose `Params` have `tokens` and `has_spans`. A token counts as
// itself. Or, if sequences are counted, a symbol has those that end in it and begin before it, one
// after the other among all occurrences; `names` tells which sequence each is.
//!use packed_symbols

// Of each symbol, if sequences are counted: its first occurrence, and in the highest bit whether its node
// has sequences of its own. If it has none the symbol itself need not be looked at.
@group(0) @binding(4) var<storage, read> notes: array<u32>;
@group(0) @binding(5) var<storage, read> names: array<u32>;

const HAS_SEQUENCES = 0x80000000u;
const NO_NODE = 0xffffffffu;

// Places of items, and the node whose items come on top.
struct Content { first: u32, end: u32, child: u32 }

// The content of the symbol at a place among all.
fn content_of(at: u32) -> Content {
    if params.has_spans == 0u {
        let symbol = symbol_at(at);
        if symbol < params.tokens {
            return Content(symbol, symbol + 1u, NO_NODE);
        }
        return Content(0u, 0u, symbol - params.tokens);
    }
    let first = notes[at];
    var child = NO_NODE;
    if first >= HAS_SEQUENCES {
        child = symbol_at(at) - params.tokens;
    }
    return Content(first & ~HAS_SEQUENCES, notes[at + 1u] & ~HAS_SEQUENCES, child);
}

fn item_at(place: u32) -> u32 {
    if params.has_spans == 0u {
        return place;
    }
    return names[place];
}
