//! A range coder for bits and small alphabets, with one model for both directions.
//!
//! A model is written once, generic over [`BinaryCoder`]. An encoder takes each value and returns it; a
//! decoder ignores the value and returns what it decodes. So the two cannot diverge.

#![expect(
    clippy::big_endian_bytes,
    reason = "the code is one long number, its most significant byte first, so that a carry can run back"
)]

/// The bytes are not what the encoder wrote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Corrupt;

/// One direction of coding.
pub(crate) trait BinaryCoder {
    /// Whether values are encoded, or ignored and decoded.
    const ENCODES: bool;
    /// Codes a bit that is 1 with `probability` / 2^16; 0 < `probability` < 2^16.
    fn bit(&mut self, bit: u32, probability: u32) -> u32;
    /// Codes a value below `size`, all equally probable; 0 < `size`.
    fn uniform(&mut self, value: u32, size: u32) -> u32;
    /// Codes a value below `N`; `starts` are the cumulative probabilities, of 2^15.
    fn choice<const N: usize>(&mut self, value: usize, starts: &[u16; N]) -> usize;
}

/// Bits of the cumulative probabilities of [`BinaryCoder::choice`].
pub(crate) const CHOICE_BITS: u32 = 15;

/// Where `value` starts and ends, of 2^15.
#[inline]
fn span<const N: usize>(starts: &[u16; N], value: usize) -> (u64, u64) {
    let end = starts.get(value + 1).map_or(1 << CHOICE_BITS, |&end| u64::from(end));
    (u64::from(starts[value]), end)
}

/// Below this the range is widened by 32 bits.
const NARROW: u64 = 1 << 32;

/// Range coder with carry: the code is any number in `low .. low + range`.
pub(crate) struct Encoder {
    low: u64,
    range: u64,
    bytes: Vec<u8>,
}

impl Default for Encoder {
    fn default() -> Self {
        Encoder { low: 0, range: u64::MAX, bytes: Vec::new() }
    }
}

impl Encoder {
    #[inline]
    fn narrow(&mut self, start: u64, range: u64) {
        let (low, carried) = self.low.overflowing_add(start);
        (self.low, self.range) = (low, range);
        if carried {
            self.carry();
        }
        if self.range < NARROW {
            self.bytes.extend_from_slice(&self.low.to_be_bytes()[..4]);
            self.low <<= 32;
            self.range <<= 32;
        }
    }

    #[cold]
    fn carry(&mut self) {
        for byte in self.bytes.iter_mut().rev() {
            *byte = byte.wrapping_add(1);
            if *byte != 0 {
                break;
            }
        }
    }

    /// The code: the number in the last range with the most trailing zero bytes, without these.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        let (low, end) = (u128::from(self.low), u128::from(self.low) + u128::from(self.range));
        let code = (0..=8)
            .rev()
            .map(|zero_bytes| (1u128 << (8 * zero_bytes)) - 1)
            .map(|mask| (low + mask) & !mask)
            .find(|&code| code < end)
            .unwrap_or(low);
        if code >> 64 != 0 {
            self.carry();
        }
        self.bytes.extend_from_slice(&(code as u64).to_be_bytes());
        let used = self.bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        self.bytes.truncate(used);
        self.bytes
    }
}

impl BinaryCoder for Encoder {
    const ENCODES: bool = true;

    #[inline]
    fn bit(&mut self, bit: u32, probability: u32) -> u32 {
        let bound = (self.range >> 16) * u64::from(probability);
        if bit != 0 {
            self.narrow(0, bound);
        } else {
            self.narrow(bound, self.range - bound);
        }
        bit
    }

    #[inline]
    fn uniform(&mut self, value: u32, size: u32) -> u32 {
        let step = self.range / u64::from(size);
        self.narrow(step * u64::from(value), step);
        value
    }

    #[inline]
    fn choice<const N: usize>(&mut self, value: usize, starts: &[u16; N]) -> usize {
        let step = self.range >> CHOICE_BITS;
        let (start, end) = span(starts, value);
        self.narrow(step * start, step * (end - start));
        value
    }
}

/// Decodes what [`Encoder`] wrote. It reads zeros past the end, and any bytes decode to some values.
pub(crate) struct Decoder<'a> {
    offset: u64,
    range: u64,
    bytes: &'a [u8],
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Decoder { offset: 0, range: u64::MAX, bytes };
        decoder.offset = u64::from(decoder.next_word()) << 32;
        decoder.offset |= u64::from(decoder.next_word());
        decoder
    }

    #[inline]
    fn next_word(&mut self) -> u32 {
        if let Some((head, rest)) = self.bytes.split_first_chunk::<4>() {
            self.bytes = rest;
            return u32::from_be_bytes(*head);
        }
        let mut last = [0; 4];
        last[..self.bytes.len()].copy_from_slice(self.bytes);
        self.bytes = &[];
        u32::from_be_bytes(last)
    }

    #[inline]
    fn widen(&mut self) {
        if self.range < NARROW {
            self.offset = self.offset << 32 | u64::from(self.next_word());
            self.range <<= 32;
        }
    }
}

impl BinaryCoder for Decoder<'_> {
    const ENCODES: bool = false;

    #[inline]
    fn bit(&mut self, _: u32, probability: u32) -> u32 {
        let bound = (self.range >> 16) * u64::from(probability);
        let one = self.offset < bound;
        if one {
            self.range = bound;
        } else {
            self.offset -= bound;
            self.range -= bound;
        }
        self.widen();
        u32::from(one)
    }

    #[inline]
    fn uniform(&mut self, _: u32, size: u32) -> u32 {
        let step = self.range / u64::from(size);
        let value = (self.offset / step).min(u64::from(size) - 1);
        self.offset -= step * value;
        self.range = step;
        self.widen();
        value as u32
    }

    #[inline]
    fn choice<const N: usize>(&mut self, _: usize, starts: &[u16; N]) -> usize {
        let step = self.range >> CHOICE_BITS;
        let target = (self.offset / step).min((1 << CHOICE_BITS) - 1) as u16;
        let above: u16 = starts.iter().map(|&start| u16::from(start > target)).sum();
        let value = (N - usize::from(above)).saturating_sub(1);
        let (start, end) = span(starts, value);
        self.offset -= step * start;
        self.range = step * (end - start);
        self.widen();
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code<C: BinaryCoder>(coder: &mut C, seed: u64) -> Vec<u32> {
        let mut state = seed;
        let mut values = Vec::new();
        for _ in 0..20_000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let truth = (state >> 33) as u32;
            let size = 1 + (state >> (20 + state % 44)) as u32 % u32::MAX;
            values.push(coder.bit(truth & 1, if seed == 0 { 65535 } else { 1 + truth % 65535 }));
            values.push(coder.uniform(truth % size, size));
            values.push(coder.choice(truth as usize % 4, &[0, 1, 16000, 32767]) as u32);
        }
        values
    }

    #[test]
    fn values_come_back() {
        for seed in 0..20 {
            let mut encoder = Encoder::default();
            let values = code(&mut encoder, seed);
            assert_eq!(code(&mut Decoder::new(&encoder.finish()), seed), values);
        }
        assert!(Encoder::default().finish().is_empty());
    }

    #[test]
    fn garbage_stays_in_bounds() {
        for byte in [0, 0x55, 0xFF] {
            let bytes = [byte; 1000];
            let mut decoder = Decoder::new(&bytes);
            for size in 1..5000 {
                assert!(decoder.bit(0, 65535) < 2 && decoder.bit(0, 1) < 2);
                assert!(decoder.uniform(0, size) < size);
                assert!(decoder.choice(0, &[0, 3, 9, 32000]) < 4);
            }
        }
    }
}
