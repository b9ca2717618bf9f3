// 64-bit numbers as two words, the low one first: no device need have larger integers. Adding one to
// another in memory is two atomic additions, the carry from what the first gives back: exact when the
// dispatch is over.
alias Long = vec2<u32>;

fn carry_of(before: u32, added: u32) -> u32 {
    return select(0u, 1u, before + added < before);
}
