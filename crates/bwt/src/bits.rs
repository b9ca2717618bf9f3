//! Streams of bits, the first in the highest bit of a byte.

use std::io::{self, Write};

/// Bits for the length, which is stored beside its code.
const LENGTH_BITS: u32 = 5;
/// Codes that are combined before they are written: together with seven pending bits they fit 64.
const CODES_AT_ONCE: usize = 3;
/// The longest code of which that many fit into the buffer.
pub(crate) const LONGEST_WORD: u32 = (64 - 7) / CODES_AT_ONCE as u32;

/// A code and its length, at most [`LONGEST_WORD`], side by side, so that one access gets both.
pub(crate) fn code_word(code: u32, length: u8) -> u32 {
    debug_assert!(u32::from(length) <= LONGEST_WORD && code >> length == 0);
    code << LENGTH_BITS | u32::from(length)
}

/// Bits being written.
#[derive(Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// Bits not yet written, in the lowest places.
    pending: u64,
    /// Their number, below 32.
    count: u32,
}

impl BitWriter {
    /// A writer that reuses memory; the old content is discarded.
    pub(crate) fn into_memory(mut memory: Vec<u8>) -> Self {
        memory.clear();
        Self { bytes: memory, pending: 0, count: 0 }
    }

    /// Appends the lowest `count` bits of `value`, at most 32. All higher bits of `value` are zero.
    #[inline]
    pub(crate) fn put(&mut self, value: u32, count: u32) {
        debug_assert!(count <= 32 && u64::from(value) < 1 << count);
        self.pending = self.pending << count | u64::from(value);
        self.count += count;
        if self.count >= 32 {
            self.count -= 32;
            let word = (self.pending >> self.count) as u32;
            self.bytes.extend_from_slice(&word.swap_bytes().to_le_bytes());
        }
    }

    /// Appends the first `bits` bits of `other`, whose rest is zero.
    pub(crate) fn append(&mut self, other: &[u8], bits: u64) {
        let (words, rest) = other.as_chunks::<4>();
        let whole = (bits / 32) as usize;
        for &word in &words[..whole] {
            self.put(u32::from_le_bytes(word).swap_bytes(), 32);
        }
        let mut left = (bits % 32) as u32;
        let tail = words.get(whole).map_or(rest, <[u8; 4]>::as_slice);
        for &byte in tail {
            let take = left.min(8);
            self.put(u32::from(byte) >> (8 - take), take);
            left -= take;
        }
    }

    /// Appends the codes of groups of symbols, `bits` in all. Of each group there are its symbols and
    /// the codes of all symbols, made by [`code_word`].
    ///
    /// Three codes are combined and always written as eight bytes: the number of pending bits cannot be
    /// predicted, so nothing branches on it.
    pub(crate) fn put_codes<'c>(
        &mut self,
        bits: u64,
        groups: impl Iterator<Item = (&'c [u16], &'c [u32])>,
    ) {
        self.settle_bytes();
        let (mut at, mut pending, mut count) = (self.bytes.len(), self.pending, self.count);
        let end = at + ((u64::from(count) + bits) / 8) as usize;
        self.bytes.resize(end + 8, 0);
        let bytes = &mut self.bytes[..];
        for (symbols, codes) in groups {
            for some in symbols.chunks(CODES_AT_ONCE) {
                for &symbol in some {
                    let word = codes[usize::from(symbol)];
                    let length = word & ((1 << LENGTH_BITS) - 1);
                    pending = pending << length | u64::from(word >> LENGTH_BITS);
                    count += length;
                }
                let ahead = pending.unbounded_shl(64 - count);
                bytes[at..at + 8].copy_from_slice(&ahead.swap_bytes().to_le_bytes());
                at += (count / 8) as usize;
                count %= 8;
            }
        }
        debug_assert_eq!(at, end, "as many bits as were announced");
        self.bytes.truncate(at);
        (self.pending, self.count) = (pending, count);
    }

    /// Number of bits so far, without those passed on.
    pub(crate) fn len(&self) -> u64 {
        self.bytes.len() as u64 * 8 + u64::from(self.count)
    }

    fn settle_bytes(&mut self) {
        while self.count >= 8 {
            self.count -= 8;
            self.bytes.push((self.pending >> self.count) as u8);
        }
    }

    /// Passes on the whole bytes so far.
    pub(crate) fn pass_bytes(&mut self, to: &mut impl Write) -> io::Result<()> {
        self.settle_bytes();
        to.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    /// All bits, filled up with zeros to a whole byte.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.put(0, self.count.wrapping_neg() % 8);
        self.settle_bytes();
        self.bytes
    }
}

/// Bits being read. Past the end there are zeros. [`is_overrun`](Self::is_overrun) reports whether they
/// were used, so that reading a bit needs no check.
#[derive(Clone, Debug)]
pub(crate) struct BitReader<'a> {
    bytes: &'a [u8],
    /// Bytes taken into `pending`; may be beyond the end.
    taken: usize,
    /// The next bits, from the highest place down.
    pending: u64,
    /// Their number.
    count: u32,
}

impl<'a> BitReader<'a> {
    /// Reads from a bit of `bytes` on.
    pub(crate) fn at(bytes: &'a [u8], bit: u64) -> Self {
        let mut reader = Self { bytes, taken: (bit / 8) as usize, pending: 0, count: 0 };
        reader.take((bit % 8) as u32);
        reader
    }

    /// The bytes that are read.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Makes 56 bits or more ready.
    #[inline]
    pub(crate) fn refill(&mut self) {
        let ahead = match self.bytes.get(self.taken..).and_then(<[u8]>::first_chunk::<8>) {
            Some(&chunk) => u64::from_le_bytes(chunk).swap_bytes(),
            None => self.last_bytes(),
        };
        self.pending |= ahead >> self.count;
        let whole = (63 - self.count) / 8;
        self.taken += whole as usize;
        self.count += whole * 8;
    }

    #[cold]
    fn last_bytes(&self) -> u64 {
        let rest = self.bytes.get(self.taken..).unwrap_or_default();
        rest.iter()
            .zip(1..=8)
            .fold(0, |word, (&byte, place)| word | u64::from(byte) << (64 - 8 * place))
    }

    /// The next bits, at least 32 of them, from the highest place down; only after a
    /// [`refill`](Self::refill).
    #[inline]
    pub(crate) fn ahead(&self) -> u64 {
        self.pending
    }

    /// Skips bits that were peeked at.
    #[inline]
    pub(crate) fn skip(&mut self, count: u32) {
        debug_assert!(count <= self.count);
        self.pending <<= count;
        self.count -= count;
    }

    /// Takes up to 32 bits.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> u32 {
        self.refill();
        let value = (self.pending >> 32) as u32;
        self.skip(count);
        if count == 0 { 0 } else { value >> (32 - count) }
    }

    /// Takes a bit.
    #[inline]
    pub(crate) fn bit(&mut self) -> bool {
        self.take(1) == 1
    }

    /// The position of the next bit.
    pub(crate) fn position(&self) -> u64 {
        self.taken as u64 * 8 - u64::from(self.count)
    }

    /// Whether bits past the end were read.
    pub(crate) fn is_overrun(&self) -> bool {
        self.position() > self.bytes.len() as u64 * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn masked((value, count): (u32, u32)) -> (u32, u32) {
        (if count == 0 { 0 } else { value >> (32 - count) }, count)
    }

    proptest! {
        #[test]
        fn bits_come_back(fields in proptest::collection::vec((any::<u32>(), 0u32..=32), 0..50)) {
            let mut writer = BitWriter::default();
            let fields: Vec<_> = fields.into_iter().map(masked).collect();
            for &(value, count) in &fields {
                writer.put(value, count);
            }
            let bits = writer.len();
            let bytes = writer.finish();
            prop_assert_eq!(bytes.len() as u64, bits.div_ceil(8));
            let mut reader = BitReader::at(&bytes, 0);
            for &(value, count) in &fields {
                prop_assert_eq!(reader.take(count), value);
            }
            prop_assert_eq!(reader.position(), bits);
            prop_assert!(!reader.is_overrun());
            reader.take(32);
            prop_assert!(reader.is_overrun());
        }

        #[test]
        fn streams_are_joined_at_any_bit(
            bytes in proptest::collection::vec(any::<u8>(), 1..40), before in 0u32..32, cut in 0u32..8,
        ) {
            let mut bytes = bytes;
            let bits = bytes.len() as u64 * 8 - u64::from(cut);
            *bytes.last_mut().unwrap() &= 0xffu8 << cut;
            let mut writer = BitWriter::default();
            writer.put(0, before);
            writer.append(&bytes, bits);
            prop_assert_eq!(writer.len(), bits + u64::from(before));
            let joined = writer.finish();
            let mut reader = BitReader::at(&joined, u64::from(before));
            for (place, &byte) in bytes.iter().enumerate() {
                let count = if place + 1 == bytes.len() { 8 - cut } else { 8 };
                prop_assert_eq!(reader.take(count), u32::from(byte) >> (8 - count));
            }
        }

        #[test]
        fn codes_are_bits(
            before in 0u32..32,
            lengths in proptest::collection::vec(1u8..=LONGEST_WORD as u8, 1..40),
            picks in proptest::collection::vec(any::<u16>(), 0..200),
            group in 1usize..60,
        ) {
            let lengths = &lengths[..];
            let value = |symbol: u16| u32::MAX.wrapping_mul(symbol.into()) & ((1 << lengths[usize::from(symbol)]) - 1);
            let symbols: Vec<u16> = picks.iter().map(|pick| pick % lengths.len() as u16).collect();
            let words: Vec<u32> = (0..lengths.len() as u16)
                .map(|symbol| code_word(value(symbol), lengths[usize::from(symbol)]))
                .collect();
            let (mut one_by_one, mut writer) = (BitWriter::default(), BitWriter::default());
            for writer in [&mut one_by_one, &mut writer] {
                writer.put(0, before);
            }
            let start = writer.len();
            for &symbol in &symbols {
                one_by_one.put(value(symbol), lengths[usize::from(symbol)].into());
            }
            let bits = one_by_one.len() - start;
            writer.put_codes(bits, symbols.chunks(group).map(|group| (group, &words[..])));
            for writer in [&mut one_by_one, &mut writer] {
                writer.put(5, 3);
            }
            prop_assert_eq!(writer.len(), one_by_one.len());
            prop_assert_eq!(writer.finish(), one_by_one.finish());
        }

        #[test]
        fn reading_may_begin_at_any_bit(bit in 0u64..200) {
            let bytes: Vec<u8> = (0..20).collect();
            let mut reader = BitReader::at(&bytes, bit);
            let expected = bytes.get((bit / 8) as usize).is_some_and(|b| b << (bit % 8) & 128 != 0);
            prop_assert_eq!(reader.bit(), expected);
            prop_assert_eq!(reader.is_overrun(), bit >= 160);
        }
    }
}
