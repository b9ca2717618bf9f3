//! Twin of the kernel: computes the offsets of bytes after later insertions.

use super::records::Records;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per question.
    edit_follow_offsets, workgroup 64, params [insertions, slots, questions], bindings [Read, Read, Write]
);

fn edit_follow_offsets(call: &mut Call<'_>) {
    let [insertions, slots, count] = call.params();
    let [questions, words, offsets] = call.buffers();
    let mut records = Records::new(words, insertions, slots);
    for (question, answer) in questions.chunks_exact(3).take(count as usize).zip(offsets) {
        *answer = records.moved_to(question[0], question[1], question[2]);
    }
}
