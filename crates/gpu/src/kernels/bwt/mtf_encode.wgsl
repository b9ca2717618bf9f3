// Replaces symbols by their positions in the list, and moves them to its front (algorithm 1).
//!use substrings

// Symbols before it move one position back.
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
