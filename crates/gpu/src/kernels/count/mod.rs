//! Kernels that count words and sequences.
//!
//! They read a grammar as *nodes* ([`Nodes`](crate::Nodes)): rules, documents, and pieces of long ones, each
//! a list of symbols. *Steps* are ranges of nodes, ordered so that a node's children are in later steps.
//!
//! | kernel | computes | dispatched by |
//! |---|---|---|
//! | `node_starts_unpack` | 16-bit lengths to 32-bit words, before a scan | `engine/device_nodes.rs`, `engine/sequences.rs` |
//! | `sequence_expand` | the text around the borders of symbols, and the occurrences in it | `engine/sequences.rs` |
//! | `sequence_identify` | which occurrences are the same sequence | `engine/sequences.rs` |
//! | `sequence_list` | one occurrence per sequence | `engine/sequences.rs` |
//! | `sequence_words` | the words at one position of each listed sequence | `engine/sequences.rs` |
//! | `sequence_rank` | the position of each sequence in the sorted list | `engine/sequences.rs` |
//! | `sequence_number` | the sequence number of each occurrence | `engine/sequences.rs` |
//! | `top_down_totals` | weights of nodes, and totals of items | `engine/device_nodes.rs`, `engine/per_document.rs` |
//! | `top_down_table_sizes` | bounds for the tables below | `engine/per_document.rs` |
//! | `top_down_tables` | a table of documents per node, a table of items per document | `engine/per_document.rs` |
//! | `bottom_up_tables` | a table of items per node and document | `engine/per_document.rs` |

pub mod bottom_up_tables;
pub(crate) mod items;
pub mod node_starts_unpack;
pub(crate) mod packed_symbols;
pub mod sequence_expand;
pub mod sequence_identify;
pub mod sequence_list;
pub mod sequence_number;
pub mod sequence_rank;
pub mod sequence_words;
pub(crate) mod tables;
pub mod top_down_table_sizes;
pub mod top_down_tables;
pub mod top_down_totals;

use crate::kernel::{Kernel, Visits};
use packed_symbols::Packed;
use std::ops::Range;

/// Every kernel of this family.
pub static ALL: &[&Kernel] = &[
    &node_starts_unpack::KERNEL,
    &sequence_expand::KERNEL,
    &sequence_identify::KERNEL,
    &sequence_list::KERNEL,
    &sequence_words::KERNEL,
    &sequence_rank::KERNEL,
    &sequence_number::KERNEL,
    &top_down_totals::KERNEL,
    &top_down_table_sizes::KERNEL,
    &top_down_tables::KERNEL,
    &bottom_up_tables::KERNEL,
];

/// A 64-bit number in an array of such numbers.
fn long(words: &[u32], at: usize) -> u64 {
    u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32
}

fn set_long(words: &mut [u32], at: usize, value: u64) {
    words[2 * at] = value as u32;
    words[2 * at + 1] = (value >> 32) as u32;
}

/// The nodes of each step.
pub(crate) fn ranges(steps: &[u32], first: u32, end: u32) -> impl Iterator<Item = Range<u32>> {
    steps[2 * first as usize..2 * end as usize].chunks_exact(2).map(|step| step[0]..step[1])
}

/// The symbols of a node with their positions among all symbols. Counts them all as visited.
pub(crate) fn body<'s>(
    node_starts: &[u32],
    symbols: Packed<'s>,
    node: u32,
    visits: &Visits,
) -> impl Iterator<Item = (u32, u32)> + use<'s> {
    let [start, end] = [node, node + 1].map(|node| node_starts[node as usize]);
    visits.add((end - start) as usize);
    (start..end).map(move |at| (at, symbols.symbol_at(at)))
}
