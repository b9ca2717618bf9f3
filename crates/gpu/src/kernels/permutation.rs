//! What the places in each substring make of any list.

use super::byte_of;
use super::recent::{store, substring};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread a substring.
    permutation, workgroup 64, params [symbols], bindings [Read, Fill, Fill]
);

fn permutation(call: &mut Call<'_>) {
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
