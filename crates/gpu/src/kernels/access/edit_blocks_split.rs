//! Twin of the kernel: finds where the pieces of a block cut pieces of the block before it in two.

use super::records::Records;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per slot of the level.
    edit_blocks_split, workgroup 64, params [insertions, slots, level], bindings [Read, Write]
);

fn edit_blocks_split(call: &mut Call<'_>) {
    let [insertions, slots, level] = call.params();
    let [words, splits] = call.buffers();
    let mut records = Records::new(words, insertions, slots);
    for slot in 0..slots {
        let later = slot >> (level + 1);
        let own = slot & ((2 << level) - 1);
        let (earlier, block) = ((level, later.wrapping_sub(1)), (level, later));
        let is_there =
            later % 2 == 1 && (later + 1) << level <= insertions && own < records.count(block);
        let mut is_split = false;
        if is_there {
            let source = records.piece(block, own).source();
            let is_last =
                own + 1 == records.count(block) || records.piece(block, own + 1).source() != source;
            let before = records.pieces(earlier, |piece| piece.out < source);
            if is_last && before > 0 {
                let cut = records.piece(earlier, before - 1);
                let length = records.bytes_before(earlier, before) - cut.before;
                is_split = source - cut.out < length;
            }
        }
        splits[slot as usize] = u32::from(is_split);
    }
}
