// 64-bit numbers as two words, the low one first: no device need have larger integers.
alias Long = vec2<u32>;

fn add_long(a: Long, b: Long) -> Long {
    let low = a.x + b.x;
    return Long(low, a.y + b.y + select(0u, 1u, low < a.x));
}
