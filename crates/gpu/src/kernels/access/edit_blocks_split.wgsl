// Finds where the pieces of a block cut pieces of the block before it in two: 1 for the last of the
// pieces that are at one offset strictly within another piece. One thread per slot of the level.
//!use grid
//!use records

struct Params { insertions: u32, slots: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> records: array<u32>;
@group(0) @binding(2) var<storage, read_write> splits: array<u32>;

var<private> steps_left: u32;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let slot = thread_of(place, 64u);
    if slot >= params.slots {
        return;
    }
    let level = params.level;
    let later = slot >> (level + 1u);
    let own = slot & ((2u << level) - 1u);
    var is_split = false;
    if later % 2u == 1u && ((later + 1u) << level) <= params.insertions
        && own < records[count_place(level, later)] {
        let piece = piece_place(level, later, own);
        let source = records[piece] - records[piece + 1u];
        let is_last = own + 1u == records[count_place(level, later)]
            || records[piece + 4u] - records[piece + 5u] != source;
        if is_last && source > 0u {
            let before = pieces_to(level, later - 1u, source - 1u);
            if before > 0u {
                let cut = piece_place(level, later - 1u, before - 1u);
                let length = bytes_before(level, later - 1u, before) - records[cut + 1u];
                is_split = source - records[cut] < length;
            }
        }
    }
    splits[slot] = select(0u, 1u, is_split);
}
