//! Twin of the kernel: copies the word at one position of each listed sequence.

use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per sequence.
    sequence_words, workgroup 64, params [sequences, place, to], bindings [Read, Read, Read, Write]
);

fn sequence_words(call: &mut Call<'_>) {
    let [count, place, to] = call.params();
    let [text, occurrences, list, words] = call.buffers();
    for own in 0..count as usize {
        let start = occurrences[list[own] as usize];
        words[to as usize + own] = text[(start + place) as usize];
    }
}
