//! How often each word occurs in the whole corpus.
//!
//! The segments contain the same information, but a reader would have to load them. With this section
//! it counts the words of a corpus in the time it takes to read the dictionary.

use super::bytes::{ByteReader, Malformed, put_varint};
use super::layer::{Layer, put_stream, take_stream};

/// The section is written if it takes at most one part in this many of the segments: where it would
/// take more, segments load fast.
const MOST_SHARE: u64 = 64;

/// The totals of all words, by rising id.
pub(crate) fn encode(totals: &[u64], layer: Layer) -> Vec<u8> {
    let mut counts = Vec::with_capacity(totals.len());
    totals.iter().for_each(|&total| put_varint(&mut counts, total));
    let mut out = Vec::new();
    put_stream(&mut out, layer, &counts);
    out
}

/// Whether a section of `len` bytes is worth its space.
pub(crate) fn is_worth(len: usize, segments_len: u64) -> bool {
    len as u64 <= segments_len / MOST_SHARE
}

/// Decodes the totals of `words` words.
pub(crate) fn decode(bytes: &[u8], words: usize) -> Result<Vec<u64>, Malformed> {
    let mut reader = ByteReader::new(bytes);
    let counts = take_stream(&mut reader)?;
    reader.expect_end()?;
    let mut counts = ByteReader::new(&counts);
    if words > counts.rest().len() {
        return counts.malformed(format!("{} bytes for {words} words", counts.rest().len()));
    }
    let totals = (0..words).map(|_| counts.varint()).collect::<Result<_, _>>()?;
    counts.expect_end()?;
    Ok(totals)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn totals_come_back(raw in proptest::collection::vec(any::<u64>(), 0..300), shift in 0u32..64) {
            let totals: Vec<u64> = raw.iter().map(|total| total >> shift).collect();
            for layer in [Layer::None, Layer::Zstd] {
                let bytes = encode(&totals, layer);
                prop_assert_eq!(&decode(&bytes, totals.len()).unwrap(), &totals);
                prop_assert!(decode(&bytes, totals.len() + 1).is_err());
                if !totals.is_empty() {
                    prop_assert!(decode(&bytes, totals.len() - 1).is_err());
                }
            }
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..60), words in 0usize..50) {
            let _ = decode(&bytes, words);
        }
    }
}
