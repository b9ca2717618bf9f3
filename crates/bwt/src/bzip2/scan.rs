//! Finds the magic numbers of blocks and tails, which may begin at any bit.
//!
//! Whatever the bit, a magic number covers five whole bytes, so one of every four places has two of
//! them. These two bytes are looked up in a map of all pairs that a magic number can have there. Only
//! hits, one in a thousand for random bytes, are checked bit by bit.

use super::{BLOCK_MAGIC, MAGIC_BITS, TAIL_MAGIC};
use std::sync::LazyLock;

/// Whole bytes that a magic number touches at most.
pub(crate) const SPAN: usize = 7;
const STEP: usize = 4;

/// A bit for each pair of bytes: whether it is within a magic number, at any bit and at one of [`STEP`] whole bytes.
static PAIRS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let mut pairs = vec![0; 1 << 10];
    for magic in [BLOCK_MAGIC, TAIL_MAGIC] {
        for skipped in 0..8 * STEP as u32 {
            let pair = (magic >> (MAGIC_BITS - 16 - skipped)) as u16;
            pairs[usize::from(pair / 64)] |= 1 << (pair % 64);
        }
    }
    pairs
});

/// Where a magic number is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Magic {
    /// Its first bit.
    pub(crate) bit: u64,
    /// Whether it is that of a block, not of a tail.
    pub(crate) is_block: bool,
}

/// The magic numbers in `bytes`, in order.
pub(crate) fn find_magics(bytes: &[u8]) -> Vec<Magic> {
    let mut found = Vec::new();
    let pairs = PAIRS.first_chunk::<{ 1 << 10 }>().expect("a bit for each pair");
    for (step, four) in bytes.as_chunks::<STEP>().0.iter().enumerate() {
        let pair = u16::from(four[0]) << 8 | u16::from(four[1]);
        if pairs[usize::from(pair / 64)] >> (pair % 64) & 1 == 1 {
            look_around(bytes, step * STEP, &mut found);
        }
    }
    // After the last whole step there may be one more place.
    let last = bytes.len() / STEP * STEP;
    look_around(bytes, last, &mut found);
    found
}

/// Finds the magic numbers that begin up to [`STEP`] bytes before `place`, or in the byte there.
fn look_around(bytes: &[u8], place: usize, found: &mut Vec<Magic>) {
    let from = place.saturating_sub(STEP);
    let until = (place + SPAN).min(bytes.len());
    let mut window = 0u64;
    for (&byte, next) in bytes[from..until].iter().zip(from + 1..) {
        window = window << 8 | u64::from(byte);
        for shift in (0..8).rev() {
            let value = window >> shift & ((1 << MAGIC_BITS) - 1);
            if value != BLOCK_MAGIC && value != TAIL_MAGIC {
                continue;
            }
            let Some(bit) = (next as u64 * 8).checked_sub(u64::from(shift + MAGIC_BITS)) else {
                continue;
            };
            if bit >= from as u64 * 8 && found.last().is_none_or(|last| last.bit < bit) {
                found.push(Magic { bit, is_block: value == BLOCK_MAGIC });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::BitWriter;
    use crate::bzip2::encode::put_magic;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_are_found_wherever_they_begin(
            gaps in proptest::collection::vec((0u32..=32, any::<bool>()), 0..20), tail in 0u32..=32,
        ) {
            let mut writer = BitWriter::default();
            let mut places = Vec::new();
            for &(gap, is_block) in &gaps {
                writer.put(0, gap);
                places.push(Magic { bit: writer.len(), is_block });
                put_magic(&mut writer, if is_block { BLOCK_MAGIC } else { TAIL_MAGIC });
            }
            writer.put(0, tail);
            prop_assert_eq!(find_magics(&writer.finish()), places);
        }

        #[test]
        fn nothing_else_is_found(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            prop_assert!(find_magics(&bytes).is_empty());
        }
    }
}
