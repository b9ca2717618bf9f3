// Replaces positions in the list by symbols, and moves them to its front (algorithm 4).
//!use substrings

fn front(place: u32) -> u32 {
    return take(place);
}
