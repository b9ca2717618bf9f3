// Whether a space is implied between two symbols. The class of a symbol's first token is in the lowest
// two bits, that of its last token in the next two. A space is implied between two words of scripts
// with spaces, class 1.
fn gap(before: u32, after: u32) -> u32 {
    return select(0u, 1u, (before >> 2u) == 1u && (after & 3u) == 1u);
}
