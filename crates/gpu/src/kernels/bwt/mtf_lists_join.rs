//! Twin of the kernel: joins the effects of up to 32 neighbouring lists.

use super::mtf_recent_lists::{load, store, unique};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per joined list.
    mtf_lists_join, workgroup 64, params [lists, is_permutation], bindings [Read, Read, Fill, Fill]
);

/// Lists that one thread joins.
pub(crate) const JOINED: usize = 32;

/// Updates a list by a permutation, or by the substring of a partial list.
pub(super) fn join(list: &[u32], later: &[u32], is_permutation: u32) -> Vec<u32> {
    match is_permutation {
        1 => later.iter().map(|&place| list[place as usize]).collect(),
        _ => unique(later.iter().chain(list).copied()),
    }
}

fn mtf_lists_join(call: &mut Call<'_>) {
    let [count, is_permutation] = call.params();
    let [lists, sizes, joined, joined_sizes] = call.buffers();
    for (own, size) in joined_sizes.iter_mut().enumerate() {
        let numbers = own * JOINED..(count as usize).min((own + 1) * JOINED);
        let list = numbers
            .map(|number| load(lists, number, sizes[number] as usize))
            .reduce(|list, later| join(&list, &later, is_permutation))
            .unwrap_or_default();
        store(joined, own, &list);
        *size = list.len() as u32;
    }
}
