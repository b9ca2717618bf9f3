//! Twin of the kernel: replaces positions in the list by symbols, and moves them to its front
//! (algorithm 4).

use super::mtf_recent_lists::{SUBSTRING, load, substring};
use super::{byte_of, or_byte};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per substring.
    mtf_decode, workgroup 64, params [symbols], bindings [Read, Read, Fill]
);

fn mtf_decode(call: &mut Call<'_>) {
    let [symbols] = call.params();
    let [places, lists, text] = call.buffers();
    text.fill(0);
    for own in 0..(symbols as usize).div_ceil(SUBSTRING) {
        let mut list = load(lists, own, 256);
        for at in substring(own, symbols) {
            list[..=byte_of(places, at) as usize].rotate_right(1);
            or_byte(text, at, list[0]);
        }
    }
}
