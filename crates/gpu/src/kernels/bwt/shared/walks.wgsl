// Where walks along the list of rows start: for a kernel that has `params` with `walks` and `first`.
// Each stretch of rows has one start, at a place that looks random, so that starts lie spread along
// the list whatever the list is; one more is the row of the text, in which the last walk starts.
//!use mix
const STRETCH = 256u;
// What a walk that has ended has in place of a row, with the number of the walk that goes on there.
const ENDED = 0x80000000u;
// A link is the row it leads to, and in the highest byte the symbol that is passed.
const ROW = 0xffffffu;

fn is_start(row: u32) -> bool {
    let stretch = row / STRETCH;
    return row == params.first || row == stretch * STRETCH + mix(stretch) % STRETCH;
}

fn ended_at(row: u32) -> u32 {
    return ENDED | select(row / STRETCH, params.walks - 1u, row == params.first);
}
