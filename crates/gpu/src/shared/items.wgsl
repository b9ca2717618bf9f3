// What a symbol stands for, for a kernel whose `Params` have `tokens` and `span_base`. A token counts
// as itself. Or, if sequences are counted, a symbol has those that end in it and begin before it, one
// after the other among all occurrences; `names` tells which sequence each is.

// Of each symbol: threads that it needs going up, if that is the way; from `span_base` on its first
// occurrence, and in the highest bit whether its row has sequences of its own.
@group(0) @binding(4) var<storage, read> notes: array<u32>;
@group(0) @binding(5) var<storage, read> names: array<u32>;

// The `span_base` of words.
const NO_SPANS = 0xffffffffu;
const HAS_SEQUENCES = 0x80000000u;
const NO_ROW = 0xffffffffu;

// Places of items, and the row whose items come on top.
struct Content { first: u32, end: u32, child: u32 }

// The content of the symbol at a place among all.
fn content_of(at: u32, symbol: u32) -> Content {
    let is_row = symbol >= params.tokens;
    let child = select(NO_ROW, symbol - params.tokens, is_row);
    if params.span_base == NO_SPANS {
        return Content(symbol, select(symbol + 1u, symbol, is_row), child);
    }
    let span = notes[params.span_base + at];
    let end = notes[params.span_base + at + 1u] & ~HAS_SEQUENCES;
    return Content(span & ~HAS_SEQUENCES, end, select(NO_ROW, child, span >= HAS_SEQUENCES));
}

fn item_at(place: u32) -> u32 {
    if params.span_base == NO_SPANS {
        return place;
    }
    return names[place];
}
