//! Twin of the kernel: creates blocks of one insertion.

use super::records::Records;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per insertion.
    edit_blocks_begin, workgroup 64, params [insertions, slots], bindings [Read, Write]
);

fn edit_blocks_begin(call: &mut Call<'_>) {
    let [insertions, slots] = call.params();
    let [offsets, words] = call.buffers();
    for insertion in 0..insertions {
        let records = Records::new(&*words, insertions, slots);
        let block = (0, insertion);
        let (piece, count) = (records.piece_place(block, 0), records.count_place(block));
        words[piece] = offsets[insertion as usize];
        words[piece + 2] = insertion;
        words[count] = 1;
    }
}
