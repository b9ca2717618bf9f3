// Codes of symbols: for a kernel that has `symbols`, `selectors`, `codes`, and `params` with `group`
// and `alphabet`. Each group of symbols selects a table; a code has its length in the lowest 5 bits.
fn code_of(at: u32) -> u32 {
    return codes[selectors[at / params.group] * params.alphabet + symbols[at]];
}
