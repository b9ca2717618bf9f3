//! Twin of the kernel: joins two blocks.

use super::records::{Piece, Records};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per slot of the level.
    edit_blocks_join, workgroup 64, params [insertions, slots, level], bindings [Read, Write]
);

fn edit_blocks_join(call: &mut Call<'_>) {
    let [insertions, slots, level] = call.params();
    let [splits, words] = call.buffers();
    let records = Records::new(words, insertions, slots);
    let blocks = insertions >> (level + 1);
    for joined in 0..blocks {
        let (earlier, later) = ((level, 2 * joined), (level, 2 * joined + 1));
        // In text order: a piece comes before those that begin at its place or after it.
        let mut pieces: Vec<Piece> = Vec::new();
        let mut own = 0;
        for other in 0..records.count(earlier) {
            let piece = records.piece(earlier, other);
            let end = piece.out + records.bytes_before(earlier, other + 1) - piece.before;
            let mut is_first = true;
            // The pieces of the later block up to the start of this one, then those within it.
            while own < records.count(later) {
                let inserted = records.piece(later, own);
                let source = inserted.source();
                if source > piece.out && is_first {
                    is_first = false;
                    let more = inserted.before;
                    let (out, before) = (piece.out + more, piece.before + more);
                    pieces.push(Piece { out, before, ..piece });
                }
                if source >= end {
                    break;
                }
                let before_own = if source > piece.out {
                    piece.before + source - piece.out
                } else {
                    piece.before
                };
                pieces.push(Piece { before: inserted.before + before_own, ..inserted });
                own += 1;
                let slot = ((later.1 << (level + 1)) + own) as usize;
                if splits[slot] > splits[slot - 1] {
                    let more = records.bytes_before(later, own);
                    let skip = source - piece.out;
                    pieces.push(Piece {
                        out: source + more,
                        before: piece.before + skip + more,
                        insertion: piece.insertion,
                        skip: piece.skip + skip,
                    });
                }
            }
            if is_first {
                let more = records.bytes_before(later, own);
                pieces.push(Piece { out: piece.out + more, before: piece.before + more, ..piece });
            }
        }
        let all_earlier = records.total(earlier);
        while own < records.count(later) {
            let inserted = records.piece(later, own);
            pieces.push(Piece { before: inserted.before + all_earlier, ..inserted });
            own += 1;
        }
        let count = records.count_place((level + 1, joined));
        records.words[count] = pieces.len() as u32;
        for (number, piece) in (0..).zip(pieces) {
            let at = records.piece_place((level + 1, joined), number);
            let words = [piece.out, piece.before, piece.insertion, piece.skip];
            records.words[at..at + 4].copy_from_slice(&words);
        }
    }
}
