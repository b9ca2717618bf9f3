//! Twin of the kernel: counts how often words occur in documents (random-access-gpu section IV-D,
//! *count*).

use super::{Shape, Tables};
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per unit.
    read_count, workgroup 64, params [rules, documents, tokens, units],
    bindings [Read, Read, Read, Read, Read, Write]
);

fn read_count(call: &mut Call<'_>) {
    let [rules, documents, tokens, count] = call.params();
    let [units, words, places, owners, tables, counts] = call.buffers();
    let shape = Shape { words, rules, documents, tokens };
    let tables = Tables { shape, words: tables };
    for (unit, count) in units.chunks_exact(8).take(count as usize).zip(counts) {
        let document = unit[0];
        let in_root = shape.in_document(places, unit[3], unit[4], document);
        let in_rules = &owners[unit[1] as usize..unit[2] as usize];
        *count = in_root.len() as u32
            + in_rules.iter().map(|&rule| tables.uses(rule, document)).sum::<u32>();
    }
}
