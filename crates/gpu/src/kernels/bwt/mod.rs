//! Kernels of block sorting: the transform and its inverse, move to front, Huffman coding.
//!
//! Texts have four bytes to a word. Sorted rotations are *rows*; rows that are still tied form a *group*,
//! and the first row of a group is its *head*. A group is *small* if one workgroup can sort it.
//!
//! | kernel | computes | dispatched by |
//! |---|---|---|
//! | `transform_prefix_load` | the first four bytes of each rotation | `bwt/forward.rs` |
//! | `transform_prefix_scatter` | rotations in the order of one byte of their prefix | `bwt/forward.rs` |
//! | `transform_prefix_heads` | heads: rows whose prefix differs from the row before | `bwt/forward.rs` |
//! | `transform_small_sort` | the rotations of small groups, sorted in workgroup memory | `bwt/forward.rs` |
//! | `transform_small_ranks` | ranks of rotations in small groups | `bwt/forward.rs` |
//! | `transform_small_hide` | head bits without the small groups | `bwt/forward.rs` |
//! | `transform_small_restore` | head bits with the small groups again | `bwt/forward.rs` |
//! | `transform_large_find` | which rows are in large groups | `bwt/forward.rs` |
//! | `transform_large_list` | the rotations of large groups, listed | `bwt/forward.rs` |
//! | `transform_large_keys` | sort keys of listed rotations: the rank some symbols ahead | `bwt/forward.rs` |
//! | `transform_large_heads` | heads among the listed rotations | `bwt/forward.rs` |
//! | `transform_large_head_rows` | the row of the head of each listed group | `bwt/forward.rs` |
//! | `transform_large_ranks` | ranks and rows of listed rotations | `bwt/forward.rs` |
//! | `transform_last_column` | the last symbol of each sorted rotation | `bwt/forward.rs` |
//! | `inverse_links` | symbols with their rows; sorted, the links from row to row | `bwt/inverse.rs` |
//! | `inverse_walk_measure` | the length of the walk from each start to the next | `bwt/inverse.rs` |
//! | `inverse_walk_write` | the symbols of each walk, at their place in the text | `bwt/inverse.rs` |
//! | `mtf_recent_lists` | the symbols of each substring, most recent first | `bwt/mtf.rs` |
//! | `mtf_permutations` | how the positions of each substring permute the list | `bwt/mtf.rs` |
//! | `mtf_lists_join` | the effect of 32 neighbouring substrings | `bwt/mtf.rs` |
//! | `mtf_lists_before` | the list before each substring | `bwt/mtf.rs` |
//! | `mtf_encode` | symbols to positions in the list | `bwt/mtf.rs` |
//! | `mtf_decode` | positions in the list to symbols | `bwt/mtf.rs` |
//! | `huffman_histogram` | how often each symbol occurs | `bwt/huffman.rs` |
//! | `huffman_encode_bits` | the code bits of each 16 symbols | `bwt/huffman.rs` |
//! | `huffman_encode_chunk_sizes` | the bytes of each chunk | `bwt/huffman.rs` |
//! | `huffman_encode_write` | the codes, at their bits | `bwt/huffman.rs` |
//! | `huffman_decode_group_ends` | where a group would end, for every bit and table | `bwt/decode.rs` |
//! | `huffman_decode_group_starts` | where each group starts | `bwt/decode.rs` |
//! | `huffman_decode_symbols` | the symbols of each group | `bwt/decode.rs` |

pub(crate) mod coded;
pub mod huffman_decode_group_ends;
pub mod huffman_decode_group_starts;
pub mod huffman_decode_symbols;
pub mod huffman_encode_bits;
pub mod huffman_encode_chunk_sizes;
pub mod huffman_encode_write;
pub mod huffman_histogram;
pub mod inverse_links;
pub mod inverse_walk_measure;
pub mod inverse_walk_write;
pub mod mtf_decode;
pub mod mtf_encode;
pub mod mtf_lists_before;
pub mod mtf_lists_join;
pub mod mtf_permutations;
pub mod mtf_recent_lists;
pub mod transform_large_find;
pub mod transform_large_head_rows;
pub mod transform_large_heads;
pub mod transform_large_keys;
pub mod transform_large_list;
pub mod transform_large_ranks;
pub mod transform_last_column;
pub mod transform_prefix_heads;
pub mod transform_prefix_load;
pub mod transform_prefix_scatter;
pub mod transform_small_hide;
pub mod transform_small_ranks;
pub mod transform_small_restore;
pub mod transform_small_sort;

use crate::kernel::Kernel;
use std::ops::Range;

/// Every kernel of this family.
pub static ALL: &[&Kernel] = &[
    &transform_prefix_load::KERNEL,
    &transform_prefix_scatter::KERNEL,
    &transform_prefix_heads::KERNEL,
    &transform_small_sort::KERNEL,
    &transform_small_ranks::KERNEL,
    &transform_small_hide::KERNEL,
    &transform_small_restore::KERNEL,
    &transform_large_find::KERNEL,
    &transform_large_list::KERNEL,
    &transform_large_keys::KERNEL,
    &transform_large_heads::KERNEL,
    &transform_large_head_rows::KERNEL,
    &transform_large_ranks::KERNEL,
    &transform_last_column::KERNEL,
    &inverse_links::KERNEL,
    &inverse_walk_measure::KERNEL,
    &inverse_walk_write::KERNEL,
    &mtf_recent_lists::KERNEL,
    &mtf_permutations::KERNEL,
    &mtf_lists_join::KERNEL,
    &mtf_lists_before::KERNEL,
    &mtf_encode::KERNEL,
    &mtf_decode::KERNEL,
    &huffman_histogram::KERNEL,
    &huffman_encode_bits::KERNEL,
    &huffman_encode_chunk_sizes::KERNEL,
    &huffman_encode_write::KERNEL,
    &huffman_decode_group_ends::KERNEL,
    &huffman_decode_group_starts::KERNEL,
    &huffman_decode_symbols::KERNEL,
];

/// A byte of a text, as in `shared/bytes.wgsl`.
fn byte_of(text: &[u32], at: usize) -> u32 {
    text[at / 4] >> (8 * (at % 4)) & 0xff
}

/// Writes a byte where the text has zero.
fn or_byte(text: &mut [u32], at: usize, byte: u32) {
    text[at / 4] |= byte << (8 * (at % 4));
}

/// Whether a bit is set. Bit 0 is the lowest bit of the first word.
fn has_bit(bits: &[u32], at: usize) -> bool {
    bits[at / 32] >> (at % 32) & 1 == 1
}

fn set_bit(bits: &mut [u32], at: usize) {
    bits[at / 32] |= 1 << (at % 32);
}

/// The groups of tied rows, from the bits of their heads.
fn groups(heads: &[u32], rows: usize) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    std::iter::from_fn(move || {
        let begin = end;
        end = (begin + 1..=rows).find(|&row| has_bit(heads, row))?;
        Some(begin..end)
    })
}
