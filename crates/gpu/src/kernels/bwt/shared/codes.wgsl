// The codes of symbols, for a kernel that has `symbols`, `selectors`, `codes`, and `params` with
// `group` and `alphabet`. Each group of symbols selects a table. A code has its length in the lowest 5
// bits.
//!use halves
// Symbols per thread.
const STRETCH = 16u;

fn code_of(at: u32) -> u32 {
    return codes[selectors[at / params.group] * params.alphabet + symbol_of(at)];
}
