// The slots of a table for `most` different keys below `keys`, doubled `grow` times. A table with one
// slot per possible key needs no more.
fn slots_for(most: u32, keys: u32, grow: u32) -> u32 {
    if most <= 1u {
        return most;
    }
    let slots = min(most, 0x20000000u >> grow) << grow;
    return min(slots + slots / 2u + 1u, keys);
}
