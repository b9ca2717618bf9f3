// The items of a symbol, for a kernel whose `Params` have `tokens` and `has_spans`. A token is one
// item. If sequences are counted, the items of a symbol are the sequences that end in it and begin
// before it. They are stored next to each other among all occurrences, and `names` holds the sequence
// of each occurrence.
//!use packed_symbols

// One note per symbol, if sequences are counted: its first occurrence, and in the highest bit whether its
// child contains sequences. If not, the symbol itself need not be read.
@group(0) @binding(4) var<storage, read> notes: array<u32>;
@group(0) @binding(5) var<storage, read> names: array<u32>;

const HAS_SEQUENCES = 0x80000000u;
const NO_NODE = 0xffffffffu;

// The places of the symbol's items, and the child whose items must be added.
struct Content { first: u32, end: u32, child: u32 }

// The content of the symbol at a position among all symbols.
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
