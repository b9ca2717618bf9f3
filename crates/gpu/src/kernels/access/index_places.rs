//! Twin of the kernel: turns positions that are sorted by symbol into the paper's word2rule and
//! rule2location.

use super::Shape;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per place and symbol.
    index_places, workgroup 64, params [rules, documents, tokens, symbols],
    bindings [Read, Read, Read, Write, Write]
);

fn index_places(call: &mut Call<'_>) {
    let [rules, documents, tokens, count] = call.params();
    let [words, keys, places, owners, starts] = call.buffers();
    let shape = Shape { words, rules, documents, tokens };
    let (keys, places) = (&keys[..count as usize], &places[..count as usize]);
    for (owner, &position) in owners.iter_mut().zip(places) {
        *owner = shape.owner(position);
    }
    let kinds = (tokens + rules + 1) as usize;
    for symbol in 0..kinds {
        let [start, end] =
            [symbol, symbol + 1].map(|symbol| keys.partition_point(|&key| (key as usize) < symbol));
        starts[symbol] = start as u32;
        let in_root = places[start..end].partition_point(|&at| at < shape.rule_start(1));
        starts[kinds + symbol] = (start + in_root) as u32;
    }
}
