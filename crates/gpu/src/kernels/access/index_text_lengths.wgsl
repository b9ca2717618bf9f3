// Bottom-up: computes the bytes that each node expands to, including implied spaces between its words,
// and the classes of its first and last token. Lengths saturate at 2^31 - 1. One thread per node; steps
// as in `bottom_up_tables`. A token's number is four times its length, plus its class.
//!use nodes
//!use gap

struct Params {
    first_step: u32, end_step: u32, threads: u32, tokens: u32, nodes: u32, items: u32,
    first_document: u32, documents: u32, symbol_base: u32, symbol_bits: u32,
}

@group(0) @binding(4) var<storage, read> numbers: array<u32>;
@group(0) @binding(5) var<storage, read_write> lengths: array<u32>;
@group(0) @binding(6) var<storage, read_write> ends: array<u32>;

const MOST = 0x7fffffffu;

fn visit(node: u32) {
    var length = 0u;
    var own = 0u;
    var last = 0u;
    let start = node_starts[node];
    let end = node_starts[node + 1u];
    for (var at = start; at < end; at++) {
        let symbol = symbol_at(at);
        var more = 0u;
        var both = 0u;
        if symbol < params.tokens {
            more = numbers[symbol] >> 2u;
            both = (numbers[symbol] & 3u) * 5u;
        } else if symbol - params.tokens < params.nodes {
            more = lengths[symbol - params.tokens];
            both = ends[symbol - params.tokens];
        }
        length = min(length + more + gap(last, both), MOST);
        own = select(own, both & 3u, at == start);
        last = both;
    }
    lengths[node] = length;
    ends[node] = own | (last & 12u);
}
