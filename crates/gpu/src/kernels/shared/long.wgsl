// 64-bit numbers as two words, the low one first, because not every device has 64-bit integers. An
// addition in memory is two atomic additions: the first one returns the old value, which determines the
// carry. The sum is exact when the dispatch has ended.
alias Long = vec2<u32>;

fn carry_of(before: u32, added: u32) -> u32 {
    return select(0u, 1u, before + added < before);
}
