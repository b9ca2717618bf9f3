// Symbols of nodes, in as few bits as they need, one after the other from the lowest bit on: for a kernel
// that has `symbols`, and whose `Params` have `symbol_bits`, and as `symbol_base` the first symbol that it
// sees.

// The symbol at a place among all.
fn symbol_at(at: u32) -> u32 {
    let place = at - params.symbol_base;
    // 32 symbols take as many words as one takes bits.
    let bit = place % 32u * params.symbol_bits;
    let word = place / 32u * params.symbol_bits + bit / 32u;
    let shift = bit % 32u;
    var symbol = symbols[word] >> shift;
    if shift + params.symbol_bits > 32u {
        symbol |= symbols[word + 1u] << (32u - shift);
    }
    return symbol & (0xffffffffu >> (32u - params.symbol_bits));
}
