// The class of a symbol's first token in two bits, then that of its last. Between two words of scripts
// with spaces, class 1, a space is implied.
fn gap(before: u32, after: u32) -> u32 {
    return select(0u, 1u, (before >> 2u) == 1u && (after & 3u) == 1u);
}
