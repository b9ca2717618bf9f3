// Converts insertion offsets that are relative to the text before the batch to offsets at the time of
// each insertion. Each insertion moves by the bytes of the insertions before it in the batch at the
// same or a lower offset of the document. Blocks sorted by document and offset are merged, level by
// level; a block adds the sum of some of its lengths to the offsets of the next block. One thread per
// insertion.
//
// An insertion is three words: document, offset, length. A sorted one is two: the insertion, and the
// lengths of those before it in its block.
//!use grid

struct Params { insertions: u32, level: u32 }

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> asked: array<u32>;
@group(0) @binding(2) var<storage, read> sorted: array<u32>;
@group(0) @binding(3) var<storage, read_write> merged: array<u32>;
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;

// The number of insertions of a sorted block with a lower document and offset, or also with equal ones.
fn lower(first: u32, size: u32, document: u32, offset: u32, or_equal: bool) -> u32 {
    var low = 0u;
    var high = size;
    while low < high {
        let middle = low + (high - low) / 2u;
        let other = 3u * sorted[2u * (first + middle)];
        let is_same = asked[other] == document;
        let is_lower = asked[other] < document || (is_same && asked[other + 1u] < offset);
        if is_lower || (or_equal && is_same && asked[other + 1u] == offset) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// The total length of the first insertions of a sorted block.
fn sum_of(first: u32, count: u32) -> u32 {
    if count == 0u {
        return 0u;
    }
    let last = 2u * (first + count - 1u);
    return sorted[last + 1u] + asked[3u * sorted[last] + 2u];
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) place: vec3<u32>) {
    let at = thread_of(place, 64u);
    if at >= params.insertions {
        return;
    }
    let size = 1u << params.level;
    let first = (at >> (params.level + 1u)) << (params.level + 1u);
    let middle = min(first + size, params.insertions);
    let end = min(middle + size, params.insertions);
    let own = sorted[2u * at];
    let document = asked[3u * own];
    let offset = asked[3u * own + 1u];
    var to = at;
    var before = sorted[2u * at + 1u];
    if at < middle {
        let others = lower(middle, end - middle, document, offset, false);
        to += others;
        before += sum_of(middle, others);
    } else {
        let others = lower(first, size, document, offset, true);
        to = to - size + others;
        before += sum_of(first, others);
        let elsewhere = lower(first, size, document, 0u, false);
        offsets[own] += sum_of(first, others) - sum_of(first, elsewhere);
    }
    merged[2u * to] = own;
    merged[2u * to + 1u] = before;
}
