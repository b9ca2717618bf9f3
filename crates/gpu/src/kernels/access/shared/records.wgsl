// Insertions over the immutable grammar: the paper's records. The insertions of one document are next
// to each other, in order. A *block* of 2^L of them is stored as the list of the *pieces* of new text
// that it leaves. A piece has: its offset after the block, the bytes of the pieces before it, its
// insertion, and the bytes of that insertion before it. The text after any insertion is described by at
// most two blocks of each size.
//
// `records` holds: the start of each insertion's bytes, and the end; the number of pieces of each
// block, by level; the pieces, four words each, by level, with 2^(L+1) places per block.
const NONE = 0xffffffffu;

fn text_start(insertion: u32) -> u32 {
    return records[insertion];
}

fn count_place(level: u32, block: u32) -> u32 {
    return params.insertions + 1u + params.slots - (params.slots >> level) + block;
}

fn piece_place(level: u32, block: u32, piece: u32) -> u32 {
    let slot = (block << (level + 1u)) + piece;
    return params.insertions + 1u + params.slots + 4u * (level * params.slots + slot);
}

fn block_total(level: u32, block: u32) -> u32 {
    return text_start((block + 1u) << level) - text_start(block << level);
}

// The bytes of the pieces before a piece. The piece may be one past the last.
fn bytes_before(level: u32, block: u32, piece: u32) -> u32 {
    if piece < records[count_place(level, block)] {
        return records[piece_place(level, block, piece) + 1u];
    }
    return block_total(level, block);
}

// The number of pieces of a block that begin at or before an offset of the text after the block.
fn pieces_to(level: u32, block: u32, offset: u32) -> u32 {
    var low = 0u;
    var high = records[count_place(level, block)];
    while low < high {
        steps_left -= min(steps_left, 1u);
        let middle = low + (high - low) / 2u;
        if records[piece_place(level, block, middle)] <= offset {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// The number of pieces of a block that are at or before an offset of the text before the block.
fn pieces_from(level: u32, block: u32, offset: u32) -> u32 {
    var low = 0u;
    var high = records[count_place(level, block)];
    while low < high {
        steps_left -= min(steps_left, 1u);
        let middle = low + (high - low) / 2u;
        let at = piece_place(level, block, middle);
        if records[at] - records[at + 1u] <= offset {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

struct Origin {
    // The insertion that added it, or NONE if it is older.
    insertion: u32,
    // Its offset in the insertion's bytes, or in the text before.
    offset: u32,
    // The number of consecutive bytes from there, at most as many as requested.
    run: u32,
}

// The origin of a byte of the text after the insertions `first` to `end`.
fn origin_of(first: u32, end: u32, offset: u32, run: u32) -> Origin {
    var origin = Origin(NONE, offset, run);
    var left = end;
    while left > first {
        steps_left -= min(steps_left, 1u);
        let level = min(firstTrailingBit(left), firstLeadingBit(left - first));
        let block = (left >> level) - 1u;
        let next = pieces_to(level, block, origin.offset);
        if next < records[count_place(level, block)] {
            origin.run = min(origin.run, records[piece_place(level, block, next)] - origin.offset);
        }
        if next > 0u {
            let piece = piece_place(level, block, next - 1u);
            let length = bytes_before(level, block, next) - records[piece + 1u];
            let within = origin.offset - records[piece];
            if within < length {
                let run = min(origin.run, length - within);
                return Origin(records[piece + 2u], records[piece + 3u] + within, run);
            }
            origin.offset -= records[piece + 1u] + length;
        }
        left -= 1u << level;
    }
    return origin;
}

// The offset, after the insertions `first` to `end`, of a byte of the text before them.
fn moved_to(first: u32, end: u32, offset: u32) -> u32 {
    var at = offset;
    var done = first;
    while done < end {
        steps_left -= min(steps_left, 1u);
        var level = firstLeadingBit(end - done);
        if done > 0u {
            level = min(level, firstTrailingBit(done));
        }
        let block = done >> level;
        at += bytes_before(level, block, pieces_from(level, block, at));
        done += 1u << level;
    }
    return at;
}
