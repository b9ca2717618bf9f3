//! Twin of the kernel: computes how the positions of each substring permute a list, by applying them to
//! the list 0, 1, … (algorithm 5).

use super::byte_of;
use super::mtf_recent_lists::{store, substring};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per substring.
    mtf_permutations, workgroup 64, params [symbols], bindings [Read, Fill, Fill]
);

fn mtf_permutations(call: &mut Call<'_>) {
    let [symbols] = call.params();
    let [places, lists, sizes] = call.buffers();
    for (own, size) in sizes.iter_mut().enumerate() {
        let mut list: Vec<u32> = (0..256).collect();
        for at in substring(own, symbols) {
            list[..=byte_of(places, at) as usize].rotate_right(1);
        }
        store(lists, own, &list);
        *size = 256;
    }
}
