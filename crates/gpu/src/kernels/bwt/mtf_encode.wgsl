// Symbols become their places in the list, and move to its front (algorithm 1).
//!use substrings

// Everything before the symbol moves one place on as it is passed.
fn front(symbol: u32) -> u32 {
    var moved = list[0];
    var place = 0u;
    while moved != symbol && place < 255u {
        place++;
        let next = list[place];
        list[place] = moved;
        moved = next;
    }
    list[0] = symbol;
    return place;
}
