// A binary search: the last number from `first` to `end` whose START_OF is at or before `position`. At least
// one number is expected, and starts must not fall. `//!use search(NAME, FUNCTION)` names the search and the
// function that returns the start of a number.
fn SEARCH(first: u32, end: u32, position: u32) -> u32 {
    var found = first;
    var after = end;
    while after - found > 1u {
        let middle = found + (after - found) / 2u;
        if START_OF(middle) <= position {
            found = middle;
        } else {
            after = middle;
        }
    }
    return found;
}
