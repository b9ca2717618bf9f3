// Threads that a symbol needs going up: one for every 64 slots that the table of a row gets, which
// stands for `length` items, of `items` that there are.
//!use slots
fn units_for(length: u32, items: u32) -> u32 {
    return (slots_for(min(length, items), items, 0u) + 63u) / 64u;
}
