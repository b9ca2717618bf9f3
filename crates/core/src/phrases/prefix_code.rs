//! Prefix codes of at most eleven bits (Huffman), decoded by one look-up.

use super::bits::{BitReader, BitWriter};
use crate::format::Malformed;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Longest code.
pub(super) const LONGEST: u32 = 11;

/// The length of each symbol's code, 0 for symbols that do not occur.
pub(super) fn code_lengths(counts: &[u64]) -> Vec<u8> {
    let mut counts = counts.to_vec();
    loop {
        let lengths = huffman(&counts);
        if lengths.iter().all(|&length| u32::from(length) <= LONGEST) {
            return lengths;
        }
        // Flatter counts make shorter codes; a few rounds are enough.
        counts.iter_mut().filter(|count| **count > 0).for_each(|count| *count = *count / 4 + 1);
    }
}

fn huffman(counts: &[u64]) -> Vec<u8> {
    let mut lengths = vec![0u8; counts.len()];
    let used: Vec<usize> = (0..counts.len()).filter(|&symbol| counts[symbol] > 0).collect();
    if let [only] = used[..] {
        lengths[only] = 1;
        return lengths;
    }
    let mut heap: BinaryHeap<_> =
        used.iter().map(|&symbol| Reverse((counts[symbol], symbol))).collect();
    // The parent of each symbol and inner node; nodes are numbered behind the symbols.
    let mut parents = vec![0usize; counts.len()];
    while let (Some(Reverse((a, first))), Some(Reverse((b, second)))) = (heap.pop(), heap.pop()) {
        let node = parents.len();
        parents.push(node);
        (parents[first], parents[second]) = (node, node);
        heap.push(Reverse((a + b, node)));
        if heap.len() == 1 {
            break;
        }
    }
    let mut depths = vec![0u8; parents.len()];
    for node in (0..parents.len().saturating_sub(1)).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    used.iter().for_each(|&symbol| lengths[symbol] = depths[symbol]);
    lengths
}

/// The codes for some lengths: shorter codes first, and in the order of symbols. A code is stored with
/// its first bit lowest.
fn codes(lengths: &[u8]) -> Vec<u16> {
    let mut codes = vec![0; lengths.len()];
    let mut next = 0u32;
    for length in 1..=LONGEST {
        next <<= 1;
        for (symbol, _) in lengths.iter().enumerate().filter(|(_, own)| u32::from(**own) == length)
        {
            codes[symbol] = (next.reverse_bits() >> (32 - length)) as u16;
            next += 1;
        }
    }
    codes
}

/// Writes symbols.
pub(super) struct Encoder {
    codes: Vec<u16>,
    lengths: Vec<u8>,
}

impl Encoder {
    pub(super) fn new(lengths: &[u8]) -> Self {
        Self { codes: codes(lengths), lengths: lengths.to_vec() }
    }

    #[inline]
    pub(super) fn put(&self, symbol: usize, out: &mut BitWriter) {
        out.put(u64::from(self.codes[symbol]), self.lengths[symbol].into());
    }
}

/// Reads symbols.
pub(super) struct Decoder {
    /// By the next bits: the symbol, and the length of its code in the lowest four bits. The length is 0
    /// where no code begins like this.
    table: Box<[u16]>,
}

impl Decoder {
    /// Refuses lengths that make no prefix code.
    pub(super) fn new(lengths: &[u8]) -> Result<Self, Malformed> {
        let used = lengths.iter().filter(|&&length| length > 0);
        let taken: u64 =
            used.clone().map(|&length| 1u64 << (64 - u32::from(length).min(64)) >> 20).sum();
        if used.clone().any(|&length| u32::from(length) > LONGEST) || taken > 1 << 44 {
            return Err(Malformed::at(0, "the lengths make no prefix code"));
        }
        let mut table = vec![0u16; 1 << LONGEST].into_boxed_slice();
        for (symbol, (code, &length)) in codes(lengths).into_iter().zip(lengths).enumerate() {
            if length > 0 {
                let entries = table[code.into()..].iter_mut().step_by(1 << length);
                entries.for_each(|entry| *entry = (symbol as u16) << 4 | u16::from(length));
            }
        }
        Ok(Self { table })
    }

    /// The next symbol; `None` if the bits are no code. At least [`LONGEST`] bits must be ready.
    #[inline]
    pub(super) fn take(&self, bits: &mut BitReader<'_>) -> Option<usize> {
        let entry = self.table[bits.peek(LONGEST) as usize];
        bits.skip(u32::from(entry & 15));
        (entry & 15 > 0).then_some(usize::from(entry >> 4))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn symbols_come_back(text in proptest::collection::vec(0usize..70, 1..400), shift in 0u32..40) {
            let mut counts = vec![0u64; 70];
            text.iter().for_each(|&symbol| counts[symbol] += 1 + (1 << (shift * symbol as u32 / 70)));
            let lengths = code_lengths(&counts);
            let (encoder, decoder) = (Encoder::new(&lengths), Decoder::new(&lengths).unwrap());
            let mut bits = BitWriter::default();
            text.iter().for_each(|&symbol| encoder.put(symbol, &mut bits));
            let bytes = bits.to_bytes();
            let mut reader = BitReader::new(&bytes);
            for &symbol in &text {
                reader.refill();
                prop_assert_eq!(decoder.take(&mut reader), Some(symbol));
            }
            prop_assert!(reader.is_at_end());
        }

        #[test]
        fn any_lengths_are_taken_or_refused(lengths in proptest::collection::vec(0u8..16, 0..70)) {
            let _ = Decoder::new(&lengths);
        }
    }

    #[test]
    fn lengths_that_make_no_code_are_refused() {
        assert!(Decoder::new(&[1, 1, 1]).is_err());
        assert!(Decoder::new(&[1, 12]).is_err());
        assert!(Decoder::new(&[0, 0]).is_ok());
        assert!(Decoder::new(&[1, 2, 2]).is_ok());
    }
}
