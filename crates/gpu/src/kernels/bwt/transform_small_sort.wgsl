// Sorts the rotations of each small group in the memory of one workgroup. Each round compares the keys
// of the rotations that begin a fixed distance later; the next round sorts the rotations that are still
// tied. A workgroup owns the groups whose first row is in its tile of 512 rows. The place of a rotation
// is the number of rotations in its group with a smaller key, or with an equal key and before it.
// `new_heads` must be clear: each workgroup adds the heads of its tile, old and new.
// `counts` are: rows that were tied, keys read, rows still tied, rows that hold another rotation than
// before, and rows that belong to another group than before.
//!use grid

struct Params { rotations: u32, rounds: u32, ahead: u32, step: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> heads: array<u32>;
@group(0) @binding(2) var<storage, read> source: array<u32>;
@group(0) @binding(3) var<storage, read_write> order: array<u32>;
@group(0) @binding(4) var<storage, read_write> new_heads: array<atomic<u32>>;
@group(0) @binding(5) var<storage, read_write> counts: array<atomic<u32>>;

const TILE = 512u;
const LARGEST_GROUP = 1024u;
const ROOM = TILE + LARGEST_GROUP;
const WORDS = ROOM / 32u;
const PER_LANE = ROOM / 256u;

// The head bits, from the first row of the tile on.
var<workgroup> bits: array<atomic<u32>, WORDS>;
var<workgroup> places: array<u32, ROOM>;
var<workgroup> keys: array<u32, ROOM>;
const COUNTS = 5u;
var<workgroup> counted: array<atomic<u32>, COUNTS>;

struct Group { head: u32, end: u32 }

// The group of a row; empty if the group is large or another workgroup's. An end of ROOM means none.
fn group_of(row: u32) -> Group {
    var word = row / 32u;
    var found = atomicLoad(&bits[word]) & (0xffffffffu >> (31u - row % 32u));
    while found == 0u && word > 0u {
        word--;
        found = atomicLoad(&bits[word]);
    }
    if found == 0u {
        return Group(0u, 0u);
    }
    let head = 32u * word + firstLeadingBit(found);
    let end = next_head(row);
    if end - head > LARGEST_GROUP {
        return Group(0u, 0u);
    }
    return Group(head, end);
}

fn next_head(row: u32) -> u32 {
    var word = (row + 1u) / 32u;
    if word == WORDS {
        return ROOM;
    }
    var found = atomicLoad(&bits[word]) & (0xffffffffu << ((row + 1u) % 32u));
    while found == 0u && word + 1u < WORDS {
        word++;
        found = atomicLoad(&bits[word]);
    }
    return select(32u * word + firstTrailingBit(found), ROOM, found == 0u);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let first = workgroup_of(group) * TILE;
    if lane < WORDS {
        let word = first / 32u + lane;
        var loaded = 0u;
        if word < arrayLength(&heads) {
            loaded = heads[word];
        }
        atomicStore(&bits[lane], loaded);
    }
    if lane < COUNTS {
        atomicStore(&counted[lane], 0u);
    }
    workgroupBarrier();
    // Rows from here on belong to the next workgroups, whatever new heads this one finds.
    let own_end = next_head(TILE - 1u);
    var tied_before = 0u;
    var places_before: array<u32, PER_LANE>;
    for (var row = lane; row < own_end; row += 256u) {
        let own = group_of(row);
        if own.end > own.head + 1u {
            let place = order[first + row];
            places[row] = place;
            places_before[row / 256u] = place;
            tied_before |= 1u << (row / 256u);
        }
    }
    atomicAdd(&counted[0], countOneBits(tied_before));
    var looked_at = 0u;
    for (var round = 0u; round < params.rounds; round++) {
        let ahead = (params.ahead + round * params.step) % params.rotations;
        var groups: array<Group, PER_LANE>;
        for (var turn = 0u; turn < PER_LANE; turn++) {
            let row = lane + 256u * turn;
            groups[turn] = Group(0u, 0u);
            if extractBits(tied_before, turn, 1u) == 1u {
                groups[turn] = group_of(row);
                if groups[turn].end > groups[turn].head + 1u {
                    let at = places[row] + ahead;
                    keys[row] = source[select(at, at - params.rotations, at >= params.rotations)];
                    looked_at++;
                }
            }
        }
        workgroupBarrier();
        var moved_places: array<u32, PER_LANE>;
        var moved_keys: array<u32, PER_LANE>;
        var targets: array<u32, PER_LANE>;
        for (var turn = 0u; turn < PER_LANE; turn++) {
            let own = groups[turn];
            if own.end > own.head + 1u {
                let row = lane + 256u * turn;
                let key = keys[row];
                var before = own.head;
                for (var other = own.head; other < own.end; other++) {
                    before += u32(keys[other] < key || (keys[other] == key && other < row));
                }
                moved_places[turn] = places[row];
                moved_keys[turn] = key;
                targets[turn] = before;
            }
        }
        workgroupBarrier();
        for (var turn = 0u; turn < PER_LANE; turn++) {
            if groups[turn].end > groups[turn].head + 1u {
                places[targets[turn]] = moved_places[turn];
                keys[targets[turn]] = moved_keys[turn];
            }
        }
        workgroupBarrier();
        for (var turn = 0u; turn < PER_LANE; turn++) {
            let own = groups[turn];
            let row = lane + 256u * turn;
            if own.end > own.head + 1u && row > own.head && keys[row] != keys[row - 1u] {
                atomicOr(&bits[row / 32u], 1u << (row % 32u));
            }
        }
        workgroupBarrier();
    }
    atomicAdd(&counted[1], looked_at);
    for (var turn = 0u; turn < PER_LANE; turn++) {
        let row = lane + 256u * turn;
        if extractBits(tied_before, turn, 1u) == 1u {
            if places[row] != places_before[turn] {
                order[first + row] = places[row];
                atomicAdd(&counted[3], 1u);
            }
            let own = group_of(row);
            if own.end > own.head + 1u {
                atomicAdd(&counted[2], 1u);
            }
            let head = first + own.head;
            if extractBits(heads[head / 32u], head % 32u, 1u) == 0u {
                atomicAdd(&counted[4], 1u);
            }
        }
    }
    workgroupBarrier();
    if lane < WORDS && first / 32u + lane < arrayLength(&heads) {
        atomicOr(&new_heads[first / 32u + lane], atomicLoad(&bits[lane]));
    }
    if lane < COUNTS {
        atomicAdd(&counts[lane], atomicLoad(&counted[lane]));
    }
}
