// Places in the list become symbols, which move to its front (algorithm 4).
//!use substrings

fn front(place: u32) -> u32 {
    return take(place);
}
