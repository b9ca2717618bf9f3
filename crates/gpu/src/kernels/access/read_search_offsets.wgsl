// Computes the offsets of matches after insertions: in a match's third word, the offset after the
// insertions before its search; in its fourth, the offset after all insertions of the batch. One thread
// per match. Units and matches are those of `read_search`; the last three words of a unit are the
// document's first insertion, the end of those before the search, and the end of all.
//!use grid
//!use records
//!use search(unit_of, unit_start)

struct Params { insertions: u32, slots: u32, units: u32, matches: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> units: array<u32>;
@group(0) @binding(2) var<storage, read> unit_starts: array<u32>;
@group(0) @binding(3) var<storage, read> records: array<u32>;
@group(0) @binding(4) var<storage, read_write> matches: array<u32>;

var<private> steps_left: u32;

fn unit_start(unit: u32) -> u32 {
    return unit_starts[unit];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let found = thread_of(place, 64u);
    if found >= params.matches || found >= unit_starts[params.units]
        || matches[4u * found + 1u] != NONE {
        return;
    }
    let unit = unit_of(0u, params.units, found);
    let seen = units[8u * unit + 6u];
    let now = moved_to(units[8u * unit + 5u], seen, matches[4u * found]);
    matches[4u * found + 2u] = now;
    matches[4u * found + 3u] = moved_to(seen, units[8u * unit + 7u], now);
}
