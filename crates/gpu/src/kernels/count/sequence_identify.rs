//! Twin of the kernel: finds which occurrences are the same sequence.

use crate::kernel::{Call, kernel};
use crate::kernels::status;

kernel!(
    /// One thread per occurrence.
    sequence_identify, workgroup 64, params [occurrences, n, slots, first_word, end_word, probes],
    bindings [Read, Read, Write, Write, Write, Write]
);

/// The name of an occurrence that is not counted.
pub(crate) const NO_NAME: u32 = u32::MAX;

fn sequence_identify(call: &mut Call<'_>) {
    let [count, n, size, first_word, end_word, probes] = call.params();
    let [text, occurrences, slots, names, marks, state] = call.buffers();
    let words = |occurrence: u32| {
        let start = occurrences[occurrence as usize] as usize;
        &text[start..start + n as usize]
    };
    for own in 0..count {
        names[own as usize] = NO_NAME;
        if !(first_word..end_word).contains(&words(own)[0]) {
            continue;
        }
        let hash = words(own).iter().fold(0u32, |hash, word| {
            crate::kernels::mix(hash ^ word.wrapping_add(0x9e37_79b9).wrapping_add(hash << 6))
        });
        let mut slot = (hash % size) as usize;
        let mut left = probes;
        loop {
            if left == 0 {
                state[0] |= status::TABLE_TOO_SMALL;
                break;
            }
            left -= 1;
            match slots[slot].checked_sub(1) {
                None => {
                    slots[slot] = own + 1;
                    names[own as usize] = own;
                    marks[own as usize] = 1;
                    break;
                }
                Some(found) if words(found) == words(own) => {
                    names[own as usize] = found;
                    break;
                }
                Some(_) => slot = (slot + 1) % size as usize,
            }
        }
    }
}
