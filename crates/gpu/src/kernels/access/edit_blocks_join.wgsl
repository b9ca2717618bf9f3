// Joins two blocks: the pieces of both in text order, with a cut piece as two. The number of pieces
// before a piece, in its own block, in the other block, and of cut ones (`splits` has their sums),
// determines where it is stored. One thread per slot of the level.
//!use grid
//!use records

struct Params { insertions: u32, slots: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> splits: array<u32>;
@group(0) @binding(2) var<storage, read_write> records: array<u32>;

var<private> steps_left: u32;

fn put(block: u32, piece: u32, out: u32, before: u32, insertion: u32, skip: u32) {
    let at = piece_place(params.level + 1u, block, piece);
    records[at] = out;
    records[at + 1u] = before;
    records[at + 2u] = insertion;
    records[at + 3u] = skip;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let slot = thread_of(place, 64u);
    let level = params.level;
    let joined = slot >> (level + 2u);
    if slot >= params.slots || ((joined + 1u) << (level + 1u)) > params.insertions {
        return;
    }
    let earlier = 2u * joined;
    let later = earlier + 1u;
    let own = slot & ((2u << level) - 1u);
    let is_later = (slot >> (level + 1u)) == later;
    let later_slot = later << (level + 1u);
    if own >= records[count_place(level, select(earlier, later, is_later))] {
        return;
    }
    let piece = piece_place(level, select(earlier, later, is_later), own);
    let out = records[piece];
    let before = records[piece + 1u];
    if !is_later {
        let others = pieces_from(level, later, out);
        let cuts = splits[later_slot + others] - splits[later_slot];
        let more = bytes_before(level, later, others);
        put(joined, own + others + cuts, out + more, before + more,
            records[piece + 2u], records[piece + 3u]);
        if own == 0u {
            let count = records[count_place(level, later)];
            let all = splits[later_slot + count] - splits[later_slot];
            records[count_place(level + 1u, joined)] =
                records[count_place(level, earlier)] + count + all;
        }
        return;
    }
    let source = out - before;
    var others = 0u;
    if source > 0u {
        others = pieces_to(level, earlier, source - 1u);
    }
    let rank = others + own + splits[slot] - splits[later_slot];
    var cut = 0u;
    var more = 0u;
    if others > 0u {
        cut = piece_place(level, earlier, others - 1u);
        let length = bytes_before(level, earlier, others) - records[cut + 1u];
        more = records[cut + 1u] + min(length, source - records[cut]);
    }
    put(joined, rank, out, before + more, records[piece + 2u], records[piece + 3u]);
    if splits[slot + 1u] > splits[slot] {
        let length = bytes_before(level, later, own + 1u) - before;
        put(joined, rank + 1u, out + length, before + more + length,
            records[cut + 2u], records[cut + 3u] + source - records[cut]);
    }
}
