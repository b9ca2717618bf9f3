//! Huffman coding of a block of symbols, on all cores (thesis, sections 2.3 and 3.1).
//!
//! Symbols are counted in parts ([`histogram`](crate::histogram)), code lengths follow from the
//! counts ([`code_lengths`]), and the block is coded in chunks of [`CHUNK`] symbols, each beginning
//! at a whole byte. Where a chunk goes is the sum of the sizes of those before it, so sizes are added
//! up first and then all chunks are written at once (section 2.3.3). Sizes are kept, so that chunks
//! can be decoded at once too (section 3.1.1).

pub(crate) mod code;
mod lengths;

pub use code::{CodeTable, LONGEST, codes};
pub use lengths::code_lengths;

use crate::bits::{BitReader, BitWriter};
use crate::histogram::histogram;
use code::Decoder;
use rayon::prelude::*;

/// Symbols in a chunk, as many as in the thesis.
pub const CHUNK: usize = 4096;

/// A coded block of symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coded {
    /// The length of the code of each symbol of the alphabet.
    pub lengths: Vec<u8>,
    /// How many symbols are coded.
    pub symbols: usize,
    /// The number of bytes of each chunk.
    pub sizes: Vec<u32>,
    /// The chunks, one after the other.
    pub bytes: Vec<u8>,
}

/// The parts of a coded block contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no Huffman-coded block: {0}")]
pub struct NotCoded(&'static str);

/// Codes symbols below `alphabet`.
///
/// # Panics
///
/// If a symbol is not below `alphabet`, or the alphabet has more than 2¹¹ symbols.
///
/// ```
/// use zgram_bwt::huffman;
///
/// let coded = huffman::encode(&[1, 0, 0, 1, 2], 3);
/// assert_eq!(huffman::decode(&coded).unwrap(), [1, 0, 0, 1, 2]);
/// ```
#[must_use]
pub fn encode(symbols: &[u16], alphabet: usize) -> Coded {
    assert!(alphabet <= 1 << 11, "an alphabet of {alphabet} symbols is too large");
    let lengths = code_lengths(&histogram(symbols, alphabet), LONGEST as u8);
    let codes = codes(&lengths);
    let bytes_of = |chunk: &[u16]| {
        let bits: u32 = chunk.iter().map(|&symbol| u32::from(lengths[usize::from(symbol)])).sum();
        bits.div_ceil(8)
    };
    let sizes: Vec<u32> = symbols.par_chunks(CHUNK).map(bytes_of).collect();
    let mut bytes = vec![0; sizes.iter().map(|&size| size as usize).sum()];
    let mut places = Vec::with_capacity(sizes.len());
    let mut rest = &mut bytes[..];
    for &size in &sizes {
        let (place, others) = rest.split_at_mut(size as usize);
        places.push(place);
        rest = others;
    }
    symbols.par_chunks(CHUNK).zip(places).for_each(|(chunk, place)| {
        let mut writer = BitWriter::into_memory(Vec::with_capacity(place.len()));
        for &symbol in chunk {
            let symbol = usize::from(symbol);
            writer.put(codes[symbol], lengths[symbol].into());
        }
        place.copy_from_slice(&writer.finish());
    });
    Coded { lengths, symbols: symbols.len(), sizes, bytes }
}

/// Decodes a block.
///
/// # Errors
///
/// If the parts do not fit together or some bits are no code.
pub fn decode(coded: &Coded) -> Result<Vec<u16>, NotCoded> {
    let Coded { lengths, symbols, sizes, bytes } = coded;
    if !lengths.iter().all(|&length| (1..=LONGEST).contains(&length.into())) {
        return Err(NotCoded("the length of a code is out of range"));
    }
    if lengths.len() > 1 << 11 || symbols.div_ceil(CHUNK) != sizes.len() {
        return Err(NotCoded("there are more symbols than sizes tell of"));
    }
    let mut chunks = Vec::with_capacity(sizes.len());
    let mut rest = &bytes[..];
    for &size in sizes {
        let (chunk, others) = rest.split_at_checked(size as usize).ok_or(NotCoded("too short"))?;
        chunks.push(chunk);
        rest = others;
    }
    // A symbol takes a bit or more, so memory is bounded by the bytes that are there.
    if *symbols > bytes.len().saturating_mul(8) {
        return Err(NotCoded("too short"));
    }
    let table = CodeTable::new(lengths);
    let decoder = Decoder::new(&table);
    let mut decoded = vec![0; *symbols];
    decoded.par_chunks_mut(CHUNK).zip(chunks).try_for_each(|(decoded, chunk)| {
        let mut bits = BitReader::at(chunk, 0);
        for symbol in decoded {
            bits.refill();
            *symbol = decoder.decode(&mut bits).ok_or(NotCoded("bits that are no code"))?;
        }
        if bits.is_overrun() { Err(NotCoded("too short")) } else { Ok(()) }
    })?;
    Ok(decoded)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn chunks_begin_at_whole_bytes_and_sizes_add_up() {
        let symbols: Vec<u16> = (0..3 * CHUNK as u16 + 5).map(|i| i % 7 % 3).collect();
        let coded = encode(&symbols, 3);
        assert_eq!(coded.sizes.len(), 4);
        assert_eq!(coded.sizes.iter().sum::<u32>() as usize, coded.bytes.len());
        assert_eq!(decode(&coded).unwrap(), symbols);
    }

    #[test]
    fn the_example_of_the_pipeline() {
        // Figure 2.1: the indices of ababacabac are two symbols, so one bit each.
        let symbols = [99, 0, 99, 0, 0, 99, 0, 0, 0, 0];
        let coded = encode(&symbols.map(|symbol| u16::from(symbol == 99)), 2);
        assert_eq!(coded.lengths, [1, 1]);
        assert_eq!(coded.bytes, [0b1010_0100, 0b0000_0000]);
    }

    proptest! {
        #[test]
        fn symbols_come_back(symbols in proptest::collection::vec(0u16..300, 0..9000)) {
            prop_assert_eq!(decode(&encode(&symbols, 300)).unwrap(), symbols);
        }

        #[test]
        fn any_parts_are_decoded_or_refused(
            lengths in proptest::collection::vec(0u8..30, 0..9),
            symbols in 0usize..9000,
            sizes in proptest::collection::vec(0u32..900, 0..4),
            bytes in proptest::collection::vec(any::<u8>(), 0..900),
        ) {
            let _ = decode(&Coded { lengths, symbols, sizes, bytes });
        }
    }
}
