//! The kernels: NAME.wgsl for devices, and beside it NAME.rs, its twin on the CPU.
//!
//! A grammar is given to them as *rows* ([`Rows`](crate::Rows)): rules, documents, and pieces of
//! those that are long, each a list of symbols; and as *steps*, ranges of rows such that what stands
//! in a row comes in a later step. The kernels of [`bwt`](crate::bwt) have texts, four bytes to a word.

#![allow(clippy::needless_range_loop, reason = "twins go through threads by number, as kernels do")]

pub mod byte_scatter;
pub mod chunk_sizes;
pub mod code_bits;
pub(crate) mod coded;
pub mod collect;
pub mod column;
pub(crate) mod content;
pub mod front_places;
pub mod front_symbols;
pub mod gather;
pub mod group_ends;
pub mod group_starts;
pub mod group_symbols;
pub mod head_rows;
pub mod heads;
pub mod histogram;
pub mod identify;
pub mod join_lists;
pub mod large_groups;
pub mod last_column;
pub mod links;
pub mod list_large;
pub mod lists_before;
pub(crate) mod packed;
pub mod permutation;
pub mod prefix_heads;
pub mod prefixes;
pub mod put_codes;
pub mod radix_count;
pub mod radix_scatter;
pub mod rank;
pub mod rank_ahead;
pub mod recent;
pub mod rename;
pub mod scan_add;
pub mod scan_tiles;
pub mod set_aside;
pub mod settle;
pub mod settle_groups;
pub mod sort_groups;
pub mod spread;
pub mod table_sizes;
pub(crate) mod tables;
pub mod take_back;
pub mod unfold;
pub mod unpack;
pub mod walk;
pub mod walk_text;
pub mod weigh;

use crate::kernel::{Kernel, Visits};
use packed::Packed;
use std::ops::Range;

/// Every kernel, for checks of all.
pub static ALL: &[&Kernel] = &[
    &byte_scatter::KERNEL,
    &chunk_sizes::KERNEL,
    &code_bits::KERNEL,
    &collect::KERNEL,
    &column::KERNEL,
    &front_places::KERNEL,
    &front_symbols::KERNEL,
    &gather::KERNEL,
    &group_ends::KERNEL,
    &group_starts::KERNEL,
    &group_symbols::KERNEL,
    &head_rows::KERNEL,
    &heads::KERNEL,
    &histogram::KERNEL,
    &identify::KERNEL,
    &join_lists::KERNEL,
    &large_groups::KERNEL,
    &last_column::KERNEL,
    &links::KERNEL,
    &list_large::KERNEL,
    &lists_before::KERNEL,
    &permutation::KERNEL,
    &prefix_heads::KERNEL,
    &prefixes::KERNEL,
    &put_codes::KERNEL,
    &radix_count::KERNEL,
    &radix_scatter::KERNEL,
    &rank::KERNEL,
    &rank_ahead::KERNEL,
    &recent::KERNEL,
    &rename::KERNEL,
    &scan_add::KERNEL,
    &scan_tiles::KERNEL,
    &set_aside::KERNEL,
    &settle::KERNEL,
    &settle_groups::KERNEL,
    &sort_groups::KERNEL,
    &spread::KERNEL,
    &table_sizes::KERNEL,
    &take_back::KERNEL,
    &unfold::KERNEL,
    &unpack::KERNEL,
    &walk::KERNEL,
    &walk_text::KERNEL,
    &weigh::KERNEL,
];

/// What went wrong: bits of the first word of a `status` buffer, as in `shared/status.wgsl`.
pub(crate) mod status {
    pub(crate) const COUNT_TOO_LARGE: u32 = 1;
    pub(crate) const TABLE_TOO_SMALL: u32 = 2;
    /// Words of the buffer.
    pub(crate) const WORDS: usize = 4;
}

/// A number of 64 bits in an array of such.
fn long(words: &[u32], at: usize) -> u64 {
    u64::from(words[2 * at]) | u64::from(words[2 * at + 1]) << 32
}

fn set_long(words: &mut [u32], at: usize, value: u64) {
    words[2 * at] = value as u32;
    words[2 * at + 1] = (value >> 32) as u32;
}

/// The rows of steps.
pub(crate) fn ranges(steps: &[u32], first: u32, end: u32) -> impl Iterator<Item = Range<u32>> {
    steps[2 * first as usize..2 * end as usize].chunks_exact(2).map(|step| step[0]..step[1])
}

/// A row's symbols with their places among all: all will be looked at.
pub(crate) fn body<'s>(
    row_starts: &[u32],
    symbols: Packed<'s>,
    row: u32,
    visits: &Visits,
) -> impl Iterator<Item = (u32, u32)> + use<'s> {
    let [start, end] = [row, row + 1].map(|row| row_starts[row as usize]);
    visits.add((end - start) as usize);
    (start..end).map(move |at| (at, symbols.symbol_at(at)))
}

/// A byte of a text, as in `shared/bytes.wgsl`.
fn byte_of(text: &[u32], at: usize) -> u32 {
    text[at / 4] >> (8 * (at % 4)) & 0xff
}

/// Puts a byte where the text has zero.
fn or_byte(text: &mut [u32], at: usize, byte: u32) {
    text[at / 4] |= byte << (8 * (at % 4));
}

/// A symbol of two bytes, as in `shared/symbols.wgsl`.
fn symbol_of(symbols: &[u32], at: usize) -> u32 {
    symbols[at / 2] >> (16 * (at % 2)) & 0xffff
}

/// Whether a bit is set, of which the first is the lowest of the first word.
fn has_bit(bits: &[u32], at: usize) -> bool {
    bits[at / 32] >> (at % 32) & 1 == 1
}

fn set_bit(bits: &mut [u32], at: usize) {
    bits[at / 32] |= 1 << (at % 32);
}

/// The groups of rows that are tied: a row with a bit differs from the one before it.
fn groups(heads: &[u32], rows: usize) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let begin = end;
        end = (begin + 1..=rows).find(|&row| has_bit(heads, row))?;
        Some(begin..end)
    })
}

/// Spreads the bits of a key over the whole word, as in `shared/mix.wgsl`: by it keys find their
/// slots in tables.
#[must_use]
pub fn mix(key: u32) -> u32 {
    let h = (key ^ key >> 16).wrapping_mul(0x7feb_352d);
    let h = (h ^ h >> 15).wrapping_mul(0x846c_a68b);
    h ^ h >> 16
}
