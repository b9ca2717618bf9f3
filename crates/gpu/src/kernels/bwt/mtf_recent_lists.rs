//! Twin of the kernel: lists the symbols of each substring, most recently seen first.

use super::{byte_of, or_byte};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per substring.
    mtf_recent_lists, workgroup 64, params [symbols], bindings [Read, Fill, Fill]
);

/// Symbols in a substring.
pub(crate) const SUBSTRING: usize = 128;
/// Words of a list, as in `shared/lists.wgsl`.
pub(crate) const LIST_WORDS: usize = 64;

/// The positions of a substring.
pub(super) fn substring(own: usize, symbols: u32) -> std::ops::Range<usize> {
    own * SUBSTRING..(symbols as usize).min((own + 1) * SUBSTRING)
}

/// A list in memory.
pub(super) fn load(words: &[u32], number: usize, size: usize) -> Vec<u32> {
    (0..size).map(|place| byte_of(&words[number * LIST_WORDS..], place)).collect()
}

pub(super) fn store(words: &mut [u32], number: usize, list: &[u32]) {
    let words = &mut words[number * LIST_WORDS..][..LIST_WORDS];
    words.fill(0);
    for (place, &symbol) in list.iter().enumerate() {
        or_byte(words, place, symbol);
    }
}

/// The symbols without repetitions.
pub(super) fn unique(symbols: impl Iterator<Item = u32>) -> Vec<u32> {
    let mut seen = [false; 256];
    symbols.filter(|&symbol| !std::mem::replace(&mut seen[symbol as usize], true)).collect()
}

fn mtf_recent_lists(call: &mut Call<'_>) {
    let [symbols] = call.params();
    let [text, lists, sizes] = call.buffers();
    for (own, size) in sizes.iter_mut().enumerate() {
        let substring = substring(own, symbols);
        let list = unique(substring.rev().map(|at| byte_of(text, at)));
        store(lists, own, &list);
        *size = list.len() as u32;
    }
}
