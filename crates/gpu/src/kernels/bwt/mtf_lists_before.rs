//! Twin of the kernel: replaces the effect of each substring by the list before it, given the lists
//! before groups of 32.

use super::mtf_lists_join::{JOINED, join};
use super::mtf_recent_lists::{load, store};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per group.
    mtf_lists_before, workgroup 64, params [lists, is_permutation], bindings [Read, Read, Write]
);

fn mtf_lists_before(call: &mut Call<'_>) {
    let [count, is_permutation] = call.params();
    let [before, sizes, lists] = call.buffers();
    for own in 0..(count as usize).div_ceil(JOINED) {
        let mut list = load(before, own, 256);
        let numbers = own * JOINED..(count as usize).min((own + 1) * JOINED);
        for (number, &size) in numbers.clone().zip(&sizes[numbers]) {
            let later = load(lists, number, size as usize);
            store(lists, number, &list);
            list = join(&list, &later, is_permutation);
        }
    }
}
