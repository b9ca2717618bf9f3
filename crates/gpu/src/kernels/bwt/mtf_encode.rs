//! Twin of the kernel: replaces symbols by their positions in the list, and moves them to its front
//! (algorithm 1).

use super::mtf_recent_lists::{SUBSTRING, load, substring};
use super::{byte_of, or_byte};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per substring.
    mtf_encode, workgroup 64, params [symbols], bindings [Read, Read, Fill]
);

fn mtf_encode(call: &mut Call<'_>) {
    let [symbols] = call.params();
    let [text, lists, places] = call.buffers();
    places.fill(0);
    for own in 0..(symbols as usize).div_ceil(SUBSTRING) {
        let mut list = load(lists, own, 256);
        for at in substring(own, symbols) {
            let symbol = byte_of(text, at);
            let place = list.iter().position(|&other| other == symbol).unwrap_or(255);
            list[..=place].rotate_right(1);
            or_byte(places, at, place as u32);
        }
    }
}
