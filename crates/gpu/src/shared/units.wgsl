// Threads that a symbol needs going up: one for every 256 slots that the table of a row gets, which
// stands for `length` items.
//!use slots
fn units_for(length: u32) -> u32 {
    return (slots_for(length, 0xffffffffu, 0u) + 255u) / 256u;
}
