// Computes, for every bit of a window and every table, where a group of symbols that begins there ends:
// the distance in bits, or 0 if the bits are no codes or too few. Two results per word, the first in
// the lowest bits. A workgroup takes 1,024 bits and one table. It finds where one code ends from each
// of them and from the 1,024 bits that follow; then, by doubling in its own memory, where two, four and
// more codes end. A group is a sum of powers of two, and has less than 1,024 bits.
//!use grid
//!use coded

struct Params {
    first: u32, tiles: u32, tables: u32, bits: u32, group: u32, table_words: u32,
}

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> coded: array<u32>;
@group(0) @binding(2) var<storage, read> tables: array<u32>;
@group(0) @binding(3) var<storage, read_write> jumps: array<u32>;

const TILE = 1024u;
const ROOM = 2048u;
const PER_LANE = ROOM / 256u;
const STARTS = TILE / 256u;

// Where each step leads; ROOM where there is none.
var<workgroup> steps: array<u32, ROOM + 1u>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let number = workgroup_of(group);
    let table = min(number / params.tiles, params.tables - 1u);
    let begin = params.first + number % params.tiles * TILE;
    for (var own = lane; own < ROOM; own += 256u) {
        var end = ROOM;
        if begin + own < params.bits {
            let found = find_code(table, begin + own);
            if found.length > 0u && begin + own + found.length <= params.bits {
                end = min(own + found.length, ROOM);
            }
        }
        steps[own] = end;
    }
    if lane == 0u {
        steps[ROOM] = ROOM;
    }
    workgroupBarrier();
    var reached: array<u32, STARTS>;
    for (var start = 0u; start < STARTS; start++) {
        reached[start] = STARTS * lane + start;
    }
    for (var left = params.group; left > 0u; left >>= 1u) {
        if left % 2u == 1u {
            for (var start = 0u; start < STARTS; start++) {
                reached[start] = steps[reached[start]];
            }
        }
        var doubled: array<u32, PER_LANE>;
        for (var turn = 0u; turn < PER_LANE; turn++) {
            doubled[turn] = steps[steps[lane + 256u * turn]];
        }
        workgroupBarrier();
        for (var turn = 0u; turn < PER_LANE; turn++) {
            steps[lane + 256u * turn] = doubled[turn];
        }
        workgroupBarrier();
    }
    if number < params.tiles * params.tables {
        for (var start = 0u; start < STARTS; start += 2u) {
            let own = STARTS * lane + start;
            let low = select(reached[start] - own, 0u, reached[start] == ROOM);
            let high = select(reached[start + 1u] - own - 1u, 0u, reached[start + 1u] == ROOM);
            jumps[(number * TILE + own) / 2u] = low | (high << 16u);
        }
    }
}
