// Symbols of 16 bits, two per word, the first in the lowest bits; for a kernel that has `symbols`.
fn symbol_of(at: u32) -> u32 {
    return extractBits(symbols[at / 2u], 16u * (at % 2u), 16u);
}
