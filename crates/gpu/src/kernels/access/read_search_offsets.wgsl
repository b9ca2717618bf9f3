// Where matches in the compressed text stand after the insertions before their search, in a match's
// third word, and after all of the batch, in its fourth. One thread a match; units and matches are those
// of `find_words`, a unit's last three words its document's first insertion, those before the search,
// and the end of all.
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
