//! Twin of the kernel: computes the number of slots of each table.

use super::tables::slots_for;
use crate::kernel::{Call, kernel};

kernel!(
    /// One thread per table.
    top_down_table_sizes, workgroup 64, params [nodes, first_document, documents, items, span, grow],
    bindings [Read, Read, Write, Write]
);

fn top_down_table_sizes(call: &mut Call<'_>) {
    let [nodes, first_document, documents, items, span, grow] = call.params();
    let [totals, lengths, sizes, state] = call.buffers();
    let mut sum = u64::from(state[1]) | u64::from(state[2]) << 32;
    for table in 0..nodes + documents {
        let size = if table >= nodes {
            let length = lengths[(table - nodes) as usize];
            slots_for(length.saturating_sub(span).min(items), items, grow)
        } else if table.wrapping_sub(first_document) < documents {
            1
        } else {
            let weight = super::long(totals, table as usize).min(u64::from(documents));
            slots_for(weight as u32, documents, grow)
        };
        sizes[table as usize] = size;
        sum += u64::from(size);
    }
    (state[1], state[2]) = (sum as u32, (sum >> 32) as u32);
}
