// The first of the places from `begin` to `end` that is not before `position`; `end` if all are before.
fn lower_place(begin: u32, end: u32, position: u32) -> u32 {
    var low = begin;
    var high = max(begin, end);
    while low < high {
        let middle = low + (high - low) / 2u;
        if places[middle] < position {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}
