//! Twin of the kernel: finds where words occur in documents (random-access-gpu section IV-D, *search*).

use super::{DONE, Shape, Tables};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per match.
    read_search, workgroup 64, params [rules, documents, tokens, units, matches, budget],
    bindings [Read, Read, Read, Read, Read, Read, Read, Write]
);

fn read_search(call: &mut Call<'_>) {
    let [rules, documents, tokens, unit_count, capacity, _] = call.params();
    let [units, words, places, owners, tables, sums, unit_starts, matches] = call.buffers();
    let shape = Shape { words, rules, documents, tokens };
    let tables = Tables { shape, words: tables };
    let unit_starts = &unit_starts[..=unit_count as usize];
    let count = unit_starts[unit_count as usize].min(capacity);
    for (found, state) in (0..count).zip(matches.chunks_exact_mut(4)) {
        if state[1] == DONE {
            continue;
        }
        let unit = unit_starts[..unit_count as usize].partition_point(|&start| start <= found) - 1;
        let unit_words = &units[8 * unit..][..8];
        let document = unit_words[0];
        let first = shape.document_start(document);
        let mut number = found - unit_starts[unit];
        let mut offset = 0u32;
        let mut in_rules = unit_words[1]..unit_words[2];
        let mut in_root = unit_words[3]..unit_words[4];
        // The twin has no limit of steps, and never stops early.
        let offset = loop {
            let here = shape.in_document(places, in_root.start, in_root.end, document);
            if let Some(&at) = here.get(number as usize) {
                let in_document = sums[at as usize].wrapping_sub(sums[first as usize]);
                break offset.wrapping_add(in_document);
            }
            number -= here.len() as u32;
            let up = in_rules.find(|&at| {
                let uses = tables.uses(owners[at as usize], document);
                let is_here = number < uses;
                number -= if is_here { 0 } else { uses };
                is_here
            });
            let Some(at) = up else { break DONE };
            let rule = owners[at as usize];
            let start = sums[shape.rule_start(rule) as usize];
            offset = offset.wrapping_add(sums[places[at as usize] as usize].wrapping_sub(start));
            let symbol = tokens + rule;
            in_root = shape.place_start(symbol)..shape.root_end(symbol);
            in_rules = shape.root_end(symbol)..shape.place_start(symbol + 1);
        };
        (state[0], state[1]) = (offset, DONE);
    }
}
