//! Fixed widths, decoded at memory speed: a two-bit tag selects one of four widths, and the rank
//! follows in that many bits.
//!
//! A segment has one set of widths, for its rules and for each block of its root.

use super::CHUNK;
use crate::format::bytes::{ByteReader, Malformed};
use crate::format::layer::{Layer, put_dense_streams, take_stream};
use std::borrow::Cow;

/// Ranks below `1 << widths[0]` get tag 0, the next `1 << widths[1]` tag 1, and so on.
pub(crate) type Widths = [u8; 4];

/// Appends the tags and bits of `ranks`, all of which fit the widths.
pub(crate) fn encode(out: &mut Vec<u8>, ranks: &[u32], widths: Widths, layer: Layer) {
    let firsts = first_ranks(widths);
    let mut tags = vec![0u8; ranks.len().div_ceil(4)];
    let mut payload = Vec::with_capacity(ranks.len() * 5 / 2);
    let (mut pending, mut filled) = (0u64, 0u32);
    for (at, &rank) in ranks.iter().enumerate() {
        let tag = (0..4).rev().find(|&tag| u64::from(rank) >= firsts[tag]).expect("firsts[0] is 0");
        tags[at / 4] |= (tag as u8) << (at % 4 * 2);
        pending |= (u64::from(rank) - firsts[tag]) << filled;
        filled += u32::from(widths[tag]);
        if filled >= 32 {
            payload.extend_from_slice(&(pending as u32).to_le_bytes());
            pending >>= 32;
            filled -= 32;
        }
    }
    payload.extend_from_slice(&pending.to_le_bytes()[..filled.div_ceil(8) as usize]);
    put_dense_streams(out, layer, [&tags, &payload]);
}

/// The widths of a segment, prepared for decoding.
#[derive(Debug)]
pub(crate) struct PackedCode {
    quads: Vec<Quad>,
    is_narrow: bool,
}

impl PackedCode {
    pub(crate) fn read(reader: &mut ByteReader<'_>) -> Result<Self, Malformed> {
        let start = reader.offset();
        let widths: Widths = reader.take(4)?.try_into().expect("four bytes");
        if widths.iter().any(|&width| width > 32) {
            return Err(Malformed::at(start, "a width over 32 bits"));
        }
        let is_narrow = widths.iter().all(|&width| width <= Quad::NARROW);
        Ok(Self { quads: Quad::all(widths), is_narrow })
    }

    #[inline(always)]
    fn quad(&self, tags: u8) -> &Quad {
        &self.quads[usize::from(tags)]
    }
}

/// Packed ranks.
#[derive(Debug)]
pub(crate) struct Packed<'a, 'c> {
    code: &'c PackedCode,
    tags: Cow<'a, [u8]>,
    payload: Cow<'a, [u8]>,
    len: usize,
}

impl<'a, 'c> Packed<'a, 'c> {
    /// Reads `len` ranks.
    pub(crate) fn read(
        reader: &mut ByteReader<'a>,
        code: &'c PackedCode,
        len: usize,
    ) -> Result<Self, Malformed> {
        let start = reader.offset();
        let tags = take_stream(reader)?;
        let payload = take_stream(reader)?;
        if tags.len() != len.div_ceil(4) {
            return Err(Malformed::at(start, "tags do not match the number of symbols"));
        }
        Ok(Self { code, tags, payload, len })
    }

    /// Hands the ranks to `take` chunk by chunk, each with the position of its first. They may be out
    /// of range. Returns false if they do not end where the bits do.
    pub(crate) fn unpack(&self, mut take: impl FnMut(usize, &[u32])) -> bool {
        let mut bit = 0;
        let mut block = [0; CHUNK];
        let mut padded = [0; Quad::WINDOW];
        for (tags, at) in self.tags.chunks(CHUNK / 4).zip((0..).step_by(CHUNK)) {
            for (slots, &tag) in block.chunks_exact_mut(4).zip(tags) {
                let quad = self.code.quad(tag);
                let rest = self.payload.get(bit >> 3..).unwrap_or_default();
                let window = rest.first_chunk().unwrap_or_else(|| {
                    padded.fill(0);
                    padded[..rest.len()].copy_from_slice(rest);
                    &padded
                });
                if self.code.is_narrow {
                    quad.read_pairs(window, bit & 7, slots);
                } else {
                    quad.read(window, bit & 7, slots);
                }
                bit += quad.len();
            }
            take(at, &block[..CHUNK.min(self.len - at)]);
        }
        if let (Some(&last), 1..4) = (self.tags.last(), self.len % 4) {
            let offsets = &self.code.quad(last).offsets;
            bit -= usize::from(offsets[4] - offsets[self.len % 4]);
        }
        bit.div_ceil(8) == self.payload.len()
    }
}

/// How to decode the four ranks of a byte of tags.
#[derive(Clone, Copy, Debug)]
struct Quad {
    /// Where the bits of each rank begin, and where the last ones end.
    offsets: [u8; 5],
    masks: [u32; 4],
    firsts: [u32; 4],
}

impl Quad {
    /// Bytes to decode four ranks from: their bits begin in the first byte and take at most 16, and
    /// each read takes eight.
    const WINDOW: usize = 24;

    /// Two ranks of this width, and the bits before them, fit into a word of 64 bits.
    const NARROW: u8 = 28;

    /// One for each byte of tags.
    fn all(widths: Widths) -> Vec<Self> {
        let firsts = first_ranks(widths);
        (0..256usize)
            .map(|tags| {
                let classes: [usize; 4] = std::array::from_fn(|at| tags >> (at * 2) & 3);
                let mut offsets = [0; 5];
                for at in 0..4 {
                    offsets[at + 1] = offsets[at] + widths[classes[at]];
                }
                Self {
                    offsets,
                    masks: classes.map(|class| ((1u64 << widths[class]) - 1) as u32),
                    // A value that does not fit is above any rank.
                    firsts: classes.map(|class| u32::try_from(firsts[class]).unwrap_or(u32::MAX)),
                }
            })
            .collect()
    }

    /// Bits of all four ranks.
    fn len(&self) -> usize {
        usize::from(self.offsets[4])
    }

    /// Decodes four ranks, none of them wider than [`NARROW`](Self::NARROW).
    #[inline(always)]
    fn read_pairs(&self, window: &[u8; Self::WINDOW], bit: usize, ranks: &mut [u32]) {
        for (pair, ranks) in ranks.chunks_exact_mut(2).take(2).enumerate() {
            let at = pair * 2;
            let bits = word_at(window, bit + usize::from(self.offsets[at]));
            let width = self.offsets[at + 1] - self.offsets[at];
            let second = bits.wrapping_shr(u32::from(width));
            ranks[0] = self.firsts[at].wrapping_add(bits as u32 & self.masks[at]);
            ranks[1] = self.firsts[at + 1].wrapping_add(second as u32 & self.masks[at + 1]);
        }
    }

    #[inline(always)]
    fn read(&self, window: &[u8; Self::WINDOW], bit: usize, ranks: &mut [u32]) {
        for (at, rank) in ranks.iter_mut().enumerate().take(4) {
            let value =
                word_at(window, bit + usize::from(self.offsets[at])) as u32 & self.masks[at];
            *rank = self.firsts[at].saturating_add(value);
        }
    }
}

/// At least 57 bits, starting at `bit`, which is below 104.
#[inline(always)]
fn word_at(window: &[u8; Quad::WINDOW], bit: usize) -> u64 {
    // Always below 13. The mask makes that visible to the compiler, which then leaves out a check.
    let byte = bit >> 3 & 15;
    let bytes = window[byte..byte + 8].try_into().expect("eight bytes");
    u64::from_le_bytes(bytes) >> (bit & 7)
}

fn first_ranks(widths: Widths) -> [u64; 4] {
    let mut firsts = [0; 4];
    for tag in 1..4 {
        firsts[tag] = firsts[tag - 1] + (1u64 << widths[tag - 1]);
    }
    firsts
}

/// The widths that take the fewest bits for `ranks`, all below `symbols`. Tries all widths.
pub(crate) fn best_widths(ranks: impl Iterator<Item = u32>, symbols: usize) -> Widths {
    let mut below = vec![0u64; symbols + 1];
    for rank in ranks {
        below[rank as usize + 1] += 1;
    }
    for at in 1..below.len() {
        below[at] += below[at - 1];
    }
    let count_below = |rank: u64| below[(rank as usize).min(symbols)];
    let total = below[symbols];
    let most = usize::BITS - symbols.leading_zeros();
    let mut best = (u64::MAX, [most as u8; 4]);
    for a in 0..=most {
        for b in a..=most {
            for c in b..=most {
                let (first, second, third) =
                    (1u64 << a, (1u64 << a) + (1 << b), (1u64 << a) + (1 << b) + (1 << c));
                let rest = (symbols as u64).saturating_sub(third);
                let d = if rest <= 1 { 0 } else { u64::BITS - (rest - 1).leading_zeros() };
                let bits = u64::from(a) * count_below(first)
                    + u64::from(b) * (count_below(second) - count_below(first))
                    + u64::from(c) * (count_below(third) - count_below(second))
                    + u64::from(d) * (total - count_below(third));
                if bits < best.0 {
                    best = (bits, [a as u8, b as u8, c as u8, d as u8]);
                }
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn packed(ranks: &[u32], widths: Widths) -> Vec<u8> {
        let mut bytes = widths.to_vec();
        encode(&mut bytes, ranks, widths, Layer::None);
        bytes
    }

    fn unpacked(bytes: &[u8], len: usize) -> Vec<u32> {
        let mut reader = ByteReader::new(bytes);
        let code = PackedCode::read(&mut reader).unwrap();
        let packed = Packed::read(&mut reader, &code, len).unwrap();
        assert!(reader.expect_end().is_ok());
        let mut out = Vec::new();
        let is_whole = packed.unpack(|at, block| {
            assert_eq!(at, out.len());
            out.extend_from_slice(block);
        });
        assert!(is_whole);
        out
    }

    proptest! {
        #[test]
        fn ranks_come_back(raw in proptest::collection::vec(any::<u32>(), 0..4000), symbols in 1usize..100_000) {
            let ranks: Vec<u32> = raw.iter().map(|&value| (value % symbols as u32) >> (value % 16)).collect();
            let bytes = packed(&ranks, best_widths(ranks.iter().copied(), symbols));
            prop_assert_eq!(&unpacked(&bytes, ranks.len()), &ranks);
        }

        #[test]
        fn ranks_of_any_width_come_back(
            raw in proptest::collection::vec(any::<u32>(), 0..200),
            widths in proptest::array::uniform4(0u8..=31),
        ) {
            let most = first_ranks(widths)[3] + (1 << widths[3]);
            let ranks: Vec<u32> =
                raw.iter().map(|&value| (u64::from(value >> (value % 32)) % most) as u32).collect();
            let bytes = packed(&ranks, widths);
            prop_assert_eq!(&unpacked(&bytes, ranks.len()), &ranks);
        }

        #[test]
        fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..100), len in 0usize..80) {
            let mut reader = ByteReader::new(&bytes);
            if let Ok(code) = PackedCode::read(&mut reader)
                && let Ok(packed) = Packed::read(&mut reader, &code, len)
            {
                packed.unpack(|_, _| ());
            }
        }
    }
}
