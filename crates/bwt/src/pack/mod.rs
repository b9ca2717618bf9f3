//! A compressor for buffers in memory, where size matters more than speed: the transform over blocks
//! of up to [`BLOCK`] bytes, and adaptive range coding in place of Huffman's tables.
//!
//! It is zgram's second layer `bwt`. Against the bzip2 format it saves the heads, the tables and the
//! checksums, which are costly for short streams, sorts larger blocks, and adapts instead of storing
//! tables. A block is coded in each of three ways, and the shortest is kept. The size of each block is
//! recorded, so that blocks are unpacked in parallel.
//!
//! ```text
//! packed   blocks, each: size of what follows (varint), way (u8), origin (varint, not in way 2),
//!          bits of the range coder
//! ways     0 ranks of the transform, 1 bytes of the transform, 2 bytes as they are
//! ```
//!
//! The length of the buffer is not stored: the caller that unpacks knows it. All blocks have [`BLOCK`] bytes
//! but the last.

mod bytes;
mod coder;
mod ranks;

use crate::inverse::Unsorter;
use crate::transform::{Transformed, forward};
use bytes::code_bytes;
use coder::{Decoder, Encoder};
use ranks::code_column;
use rayon::prelude::*;

/// Bytes in a block.
pub const BLOCK: usize = 1 << 22;

/// Bytes that are not what [`pack`] makes of a buffer of the given length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotPacked(&'static str);

/// Packs a buffer.
///
/// ```
/// use zgram_bwt::pack;
///
/// let packed = pack::pack(&b"mississippi ".repeat(10));
/// assert!(packed.len() < 30);
/// assert_eq!(pack::unpack(&packed, 120).unwrap(), b"mississippi ".repeat(10));
/// ```
#[must_use]
pub fn pack(bytes: &[u8]) -> Vec<u8> {
    let blocks: Vec<Vec<u8>> = bytes.par_chunks(BLOCK).map(pack_block).collect();
    let mut packed = Vec::new();
    for block in blocks {
        put_varint(&mut packed, block.len());
        packed.extend(block);
    }
    packed
}

/// How a block is coded.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Way {
    Ranks = 0,
    Column = 1,
    Plain = 2,
}

fn pack_block(bytes: &[u8]) -> Vec<u8> {
    let mut text = bytes.to_vec();
    let Transformed { last_column: mut column, origin } = forward(bytes);
    let coded = |way: Way, text: &mut [u8], column: &mut [u8]| {
        let mut block = vec![way as u8];
        let mut coder = Encoder::new();
        match way {
            Way::Ranks => code_column(&mut coder, column, true),
            Way::Column => code_bytes(&mut coder, column),
            Way::Plain => code_bytes(&mut coder, text),
        }
        if !matches!(way, Way::Plain) {
            put_varint(&mut block, origin);
        }
        block.extend(coder.finish());
        block
    };
    let ways = [Way::Ranks, Way::Column, Way::Plain];
    let blocks = ways.map(|way| coded(way, &mut text, &mut column));
    blocks.into_iter().min_by_key(Vec::len).expect("there are three ways")
}

/// Unpacks what [`pack`] has made of a buffer of `len` bytes.
///
/// Any bytes unpack to something or are refused. Memory is proportional to `len`, which the caller
/// must bound.
///
/// # Errors
///
/// If sizes and origins do not fit the length.
pub fn unpack(packed: &[u8], len: usize) -> Result<Vec<u8>, NotPacked> {
    let mut rest = packed;
    let mut blocks = Vec::new();
    for begin in (0..len).step_by(BLOCK) {
        let size = take_varint(&mut rest).ok_or(NotPacked("a block has no size"))?;
        let (block, others) =
            rest.split_at_checked(size).ok_or(NotPacked("a block is longer than the whole"))?;
        blocks.push((block, BLOCK.min(len - begin)));
        rest = others;
    }
    if !rest.is_empty() {
        return Err(NotPacked("there is more than the blocks"));
    }
    let texts: Vec<_> = blocks
        .into_par_iter()
        .map(|(block, len)| unpack_block(block, len))
        .collect::<Result<_, _>>()?;
    Ok(texts.concat())
}

fn unpack_block(block: &[u8], len: usize) -> Result<Vec<u8>, NotPacked> {
    let (&way, mut block) = block.split_first().ok_or(NotPacked("a block is empty"))?;
    let mut column = vec![0; len];
    if way == Way::Plain as u8 {
        code_bytes(&mut Decoder::new(block), &mut column);
        return Ok(column);
    }
    let origin = take_varint(&mut block).filter(|&origin| origin < len);
    let origin = origin.ok_or(NotPacked("the origin of a block is outside"))?;
    let mut decoder = Decoder::new(block);
    match way {
        way if way == Way::Ranks as u8 => code_column(&mut decoder, &mut column, false),
        way if way == Way::Column as u8 => code_bytes(&mut decoder, &mut column),
        _ => return Err(NotPacked("a block is coded in an unknown way")),
    }
    let pieces = Unsorter::default().restore(column, origin);
    let mut text = Vec::with_capacity(len);
    pieces.slices().for_each(|piece| text.extend_from_slice(piece));
    Ok(text)
}

/// Seven bits a byte, the lowest first; the highest bit says that more follow.
fn put_varint(bytes: &mut Vec<u8>, mut value: usize) {
    while value >= 128 {
        bytes.push(value as u8 | 128);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn take_varint(bytes: &mut &[u8]) -> Option<usize> {
    let mut value = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= usize::from(byte & 127) << shift;
        if byte < 128 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(bytes: &[u8]) {
        let packed = pack(bytes);
        assert!(unpack(&packed, bytes.len()).unwrap() == bytes);
    }

    #[test]
    fn long_and_tied_buffers_come_back() {
        check(b"");
        check(&[7; 100_000]);
        check(&b"ab".repeat(50_000));
        check(&(0..BLOCK + 100_000).map(|i| ((i / 7 * i) >> 9) as u8).collect::<Vec<_>>());
        assert!(pack(&[7; 100_000]).len() < 120);
    }

    proptest! {
        #[test]
        fn any_buffer_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
            check(&bytes);
        }

        #[test]
        fn few_symbols_come_back(bytes in proptest::collection::vec(0u8..4, 0..2000)) {
            check(&bytes);
            prop_assert!(pack(&bytes).len() <= bytes.len() / 2 + 40);
        }

        #[test]
        fn any_bytes_are_unpacked_or_refused(
            bytes in proptest::collection::vec(any::<u8>(), 0..60), len in 0usize..300,
        ) {
            if let Ok(unpacked) = unpack(&bytes, len) {
                prop_assert_eq!(unpacked.len(), len);
            }
        }
    }
}
