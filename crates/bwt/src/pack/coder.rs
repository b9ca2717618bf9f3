//! A binary range coder with adaptive probabilities.
//!
//! A bit's probability is estimated in two contexts, each by one estimate that learns fast and one
//! that learns slowly: the statistics of a column change from one context of the text to the next and
//! stay the same within one. The context that has seen more bits weighs more, and a new one learns in
//! large steps, so that it adapts on short streams too.

/// Probabilities have 16 bits.
const ONE: u32 = 1 << 16;
/// A step is 2^-k of the distance left; k rises to these.
const FAST: u8 = 4;
const SLOW: u8 = 7;
/// Bits after which the weight of a context stops growing.
const SEASONED: u8 = 30;
/// The range is widened, byte by byte, when it falls below this.
const NARROW: u32 = 1 << 24;

/// The probability of a zero in one context.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bit {
    fast: u16,
    slow: u16,
    /// Bits seen, up to [`SEASONED`].
    seen: u8,
}

impl Default for Bit {
    fn default() -> Self {
        Self { fast: 1 << 15, slow: 1 << 15, seen: 0 }
    }
}

impl Bit {
    fn estimate(self) -> u32 {
        (u32::from(self.fast) + u32::from(self.slow)) / 2
    }

    fn weight(self) -> u32 {
        u32::from(self.seen) + 1
    }

    fn learn(&mut self, bit: bool) {
        let step = |probability: u16, rate: u8| {
            if bit {
                probability - (probability >> rate)
            } else {
                probability + (!probability >> rate)
            }
        };
        let rate = self.seen / 2 + 1;
        self.fast = step(self.fast, rate.min(FAST));
        self.slow = step(self.slow, rate.min(SLOW));
        self.seen += u8::from(self.seen < SEASONED);
    }
}

/// The share of the range for a zero: the weighted mean of two contexts, never all and never nothing.
fn split(range: u32, a: Bit, b: Bit) -> u32 {
    let sum = a.estimate() * a.weight() + b.estimate() * b.weight();
    let probability = sum / (a.weight() + b.weight());
    let probability = probability.clamp(ONE / 2048, ONE - ONE / 2048);
    ((u64::from(range) * u64::from(probability)) >> 16) as u32
}

/// Both directions of the coder: the encoder writes bits, the decoder returns them.
pub(crate) trait Coder {
    /// Codes a bit in two contexts. An encoder takes the given bit; a decoder ignores it.
    fn code(&mut self, bit: bool, a: &mut Bit, b: &mut Bit) -> bool;
}

/// Writes bits.
#[derive(Debug)]
pub(crate) struct Encoder {
    low: u64,
    range: u32,
    /// The last byte, held back because a carry may still change it, and how many of 255 follow.
    held: Option<u8>,
    full: usize,
    bytes: Vec<u8>,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { low: 0, range: u32::MAX, held: None, full: 0, bytes: Vec::new() }
    }

    fn shift(&mut self) {
        let carry = (self.low >> 32) as u8;
        if self.low < 0xff00_0000 || carry > 0 {
            if let Some(held) = self.held {
                self.bytes.push(held.wrapping_add(carry));
            }
            let followers = if carry > 0 { 0 } else { 255 };
            self.bytes.extend(std::iter::repeat_n(followers, self.full));
            self.full = 0;
            self.held = Some((self.low >> 24) as u8);
        } else {
            self.full += 1;
        }
        self.low = (self.low & 0x00ff_ffff) << 8;
    }

    /// All bytes; zeros at the end are left out, since a decoder reads zeros there.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        // The number within the range that has the most zeros at its end.
        let top = self.low + u64::from(self.range) - 1;
        let keep = (0..=32).rev().find(|&bits| (top >> bits) << bits >= self.low).unwrap_or(0);
        self.low = (top >> keep) << keep;
        for _ in 0..5 {
            self.shift();
        }
        while self.bytes.last() == Some(&0) {
            self.bytes.pop();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn code(&mut self, bit: bool, a: &mut Bit, b: &mut Bit) -> bool {
        let zero = split(self.range, *a, *b);
        if bit {
            self.low += u64::from(zero);
            self.range -= zero;
        } else {
            self.range = zero;
        }
        a.learn(bit);
        b.learn(bit);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

/// Reads bits. Any bytes decode to something; past their end there are zeros.
#[derive(Debug)]
pub(crate) struct Decoder<'a> {
    code: u32,
    range: u32,
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut decoder = Self { code: 0, range: u32::MAX, bytes: bytes.iter() };
        for _ in 0..4 {
            decoder.shift();
        }
        decoder
    }

    fn shift(&mut self) {
        self.code = self.code << 8 | u32::from(self.bytes.next().copied().unwrap_or(0));
    }
}

impl Coder for Decoder<'_> {
    #[inline]
    fn code(&mut self, _: bool, a: &mut Bit, b: &mut Bit) -> bool {
        let zero = split(self.range, *a, *b);
        let bit = self.code >= zero;
        if bit {
            self.code -= zero;
            self.range -= zero;
        } else {
            self.range = zero;
        }
        a.learn(bit);
        b.learn(bit);
        while self.range < NARROW {
            self.range <<= 8;
            self.shift();
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encode(bits: &[(bool, u8)]) -> Vec<u8> {
        let mut contexts = [Bit::default(); 8];
        let mut encoder = Encoder::new();
        for &(bit, context) in bits {
            let [a, b] = contexts.get_disjoint_mut([usize::from(context), 7]).unwrap();
            encoder.code(bit, a, b);
        }
        encoder.finish()
    }

    fn decode(bytes: &[u8], bits: &[(bool, u8)]) -> Vec<bool> {
        let mut contexts = [Bit::default(); 8];
        let mut decoder = Decoder::new(bytes);
        let mut take = |context: u8| {
            let [a, b] = contexts.get_disjoint_mut([usize::from(context), 7]).unwrap();
            decoder.code(false, a, b)
        };
        bits.iter().map(|&(_, context)| take(context)).collect()
    }

    proptest! {
        #[test]
        fn bits_come_back(bits in proptest::collection::vec((any::<bool>(), 0u8..7), 0..3000)) {
            let decoded = decode(&encode(&bits), &bits);
            prop_assert!(decoded.into_iter().eq(bits.iter().map(|bit| bit.0)));
        }

        #[test]
        fn rare_bits_come_back(rare in proptest::collection::vec(0usize..20_000, 0..20)) {
            let bits: Vec<_> = (0..20_000).map(|i| (!rare.contains(&i), 0)).collect();
            let bytes = encode(&bits);
            prop_assert!(bytes.len() < 100 + rare.len() * 4);
            let decoded = decode(&bytes, &bits);
            prop_assert!(decoded.into_iter().eq(bits.iter().map(|bit| bit.0)));
        }
    }
}
