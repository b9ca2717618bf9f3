// The symbols of nodes, packed into as few bits as they need, starting at the lowest bit; for a kernel
// that has `symbols`, and whose `Params` have `symbol_bits`, and as `symbol_base` the first symbol that
// is bound.

// The symbol at a position among all symbols.
fn symbol_at(at: u32) -> u32 {
    let place = at - params.symbol_base;
    // 32 symbols take `symbol_bits` words.
    let bit = place % 32u * params.symbol_bits;
    let word = place / 32u * params.symbol_bits + bit / 32u;
    let shift = bit % 32u;
    var symbol = symbols[word] >> shift;
    if shift + params.symbol_bits > 32u {
        symbol |= symbols[word + 1u] << (32u - shift);
    }
    return symbol & (0xffffffffu >> (32u - params.symbol_bits));
}
