// Bytes, four per word, the first in the lowest bits.
fn byte_of(word: u32, at: u32) -> u32 {
    return extractBits(word, 8u * (at % 4u), 8u);
}
