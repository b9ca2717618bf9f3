// Where walks along the list of rows start, for a kernel that has `params` with `walks` and `first`.
// Each stretch of rows has one start, at a pseudo-random row, so that starts are spread along the list
// whatever the list is. One more start is the row of the text, where the last walk starts.
//!use mix
const STRETCH = 256u;
// Marks a walk that has ended. The other bits are the number of the walk that continues there.
const ENDED = 0x80000000u;
// A link is the next row, and in the highest byte the symbol on the way.
const ROW = 0xffffffu;

fn is_start(row: u32) -> bool {
    let stretch = row / STRETCH;
    return row == params.first || row == stretch * STRETCH + mix(stretch) % STRETCH;
}

fn ended_at(row: u32) -> u32 {
    return ENDED | select(row / STRETCH, params.walks - 1u, row == params.first);
}
