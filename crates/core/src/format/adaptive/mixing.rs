//! The predictors of the adaptive coders: counters of bits, distributions of small alphabets, hashed
//! counters, and logistic mixing. All arithmetic is on integers, so it is exact on every platform.

use super::range_coder::{BinaryCoder, CHOICE_BITS};

/// Adaptive cumulative probabilities of `N` values: place i holds the probability of the values
/// below i, of [`Distribution::SPAN`]. Place 0 would always be zero and is free for the owner's use.
#[derive(Clone, Copy)]
pub(crate) struct Distribution<const N: usize>(pub(crate) [u16; N]);

impl<const N: usize> Default for Distribution<N> {
    /// All places zero, to be filled before use.
    fn default() -> Self {
        Distribution([0; N])
    }
}

impl<const N: usize> Distribution<N> {
    /// No value is less probable than this, of 2^15.
    const FLOOR: u16 = 2;
    const SPAN: u16 = (1 << CHOICE_BITS) - N as u16 * Self::FLOOR;

    /// All values equally probable.
    pub(crate) fn even() -> Self {
        Distribution(std::array::from_fn(|value| value as u16 * (Self::SPAN / N as u16)))
    }

    /// Moves by 1/2^`rate` towards `value`; place 0 is kept.
    #[inline]
    pub(crate) fn learn(&mut self, value: usize, rate: u32) {
        let own = self.0[0];
        let value = value as u16;
        for (place, below) in self.0.iter_mut().enumerate() {
            let target = if place as u16 > value { Self::SPAN as i16 } else { 0 };
            *below = (*below as i16 + ((target - *below as i16) >> rate)) as u16;
        }
        self.0[0] = own;
    }

    /// The probability of `value`, without the floor.
    #[inline]
    pub(crate) fn probability(&self, value: usize) -> i32 {
        let start = if value == 0 { 0 } else { self.0[value] };
        i32::from(self.0.get(value + 1).copied().unwrap_or(Self::SPAN)) - i32::from(start)
    }

    /// The argument of [`BinaryCoder::choice`].
    #[inline]
    pub(crate) fn starts(&self) -> [u16; N] {
        let mut starts = self.0;
        starts[0] = 0;
        for (place, start) in starts.iter_mut().enumerate() {
            *start += place as u16 * Self::FLOOR;
        }
        starts
    }

    /// The weighted sum of several distributions. The weights add up to at most 65535.
    // Called once per symbol; without `always` the compiler leaves it out of line, which takes a tenth
    // more time.
    #[inline(always)]
    pub(crate) fn mixed<const PARTS: usize>(parts: [&Self; PARTS], weights: [u16; PARTS]) -> Self {
        let mut mixed = [0; N];
        for (part, weight) in parts.into_iter().zip(weights) {
            for (sum, &below) in mixed.iter_mut().zip(&part.0) {
                *sum += ((u32::from(below) * u32::from(weight)) >> 16) as u16;
            }
        }
        Distribution(mixed)
    }
}

/// Learns fast at first, then more and more slowly, down to 1/2^`slowest`. Place 0 holds the age.
#[inline]
pub(crate) fn learn_by_age<const N: usize>(
    distribution: &mut Distribution<N>,
    value: usize,
    slowest: u32,
) {
    let age = distribution.0[0];
    distribution.learn(value, (u32::from(age) + 4).ilog2().min(slowest));
    distribution.0[0] += u16::from(age < 255);
}

/// Probabilities are kept this far from 0 and 1, in units of 2^-16.
const MARGIN: u32 = 16;
/// The logistic domain: `stretch` gives 256 · ln(p / (1 − p)) within ± this.
const LOGIT_LIMIT: i32 = 2047;

static SQUASH: [u16; 4096] = squash_table();
static STRETCH: [i16; 4096] = stretch_table();

const fn squash_table() -> [u16; 4096] {
    /// e^(−1/256) in units of 2^−62.
    const RATIO: u128 = 4_593_706_758_521_714_574;
    let mut table = [MARGIN as u16; 4096];
    let mut power = 1u128 << 62;
    let mut logit = 0;
    while logit < 2048 {
        let p = ((1u128 << 78) / ((1u128 << 62) + power)) as u32;
        let p = if p > 65536 - MARGIN { 65536 - MARGIN } else { p };
        table[2048 + logit] = p as u16;
        table[2048 - logit] = (65536 - p) as u16;
        power = (power * RATIO) >> 62;
        logit += 1;
    }
    table
}

const fn stretch_table() -> [i16; 4096] {
    let mut table = [0; 4096];
    let (mut p, mut at) = (0, 0);
    while p < 4096 {
        while at < 4095 && (SQUASH[at] as usize) < p * 16 {
            at += 1;
        }
        table[p] = at as i16 - 2048;
        p += 1;
    }
    table
}

/// The probability (of 2^16) whose logit is `logit` / 256.
#[inline]
fn squash(logit: i32) -> u32 {
    u32::from(SQUASH[(logit.clamp(-LOGIT_LIMIT, LOGIT_LIMIT) + 2048) as usize])
}

/// The inverse of [`squash`].
#[inline]
pub(crate) fn stretch(probability: u32) -> i32 {
    i32::from(STRETCH[(probability >> 4) as usize & 4095])
}

/// A probability that moves towards each bit by 1 / (count + 1.5): 22 bits for it, 10 for the count.
#[derive(Clone, Copy)]
pub(crate) struct Counter(u32);

impl Counter {
    pub(crate) const NEW: Counter = Counter(1 << 31);

    /// The probability of a one, of 2^16.
    #[inline]
    pub(crate) fn probability(self) -> u32 {
        (self.0 >> 16).clamp(MARGIN, 65536 - MARGIN)
    }

    /// Learns a bit. The count, and so the rate, stops at `limit`.
    #[inline]
    pub(crate) fn learn(&mut self, bit: u32, limit: u32) {
        let count = self.0 & 1023;
        let p = (self.0 >> 10) as i32;
        let target = (bit << 22) as i32 - bit as i32;
        let step = (i64::from(target - p) * i64::from(RATES[count as usize])) >> 16;
        self.0 = ((p + step as i32) as u32) << 10 | (count + u32::from(count < limit));
    }
}

static RATES: [u16; 1024] = {
    let mut rates = [0; 1024];
    let mut count = 0;
    while count < 1024 {
        rates[count] = (131_072 / (2 * count + 3)) as u16;
        count += 1;
    }
    rates
};

/// A [`Counter`] in 16 bits (12 and 4), for large numbers of contexts. A new one is zero.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct SmallCounter(u16);

impl SmallCounter {
    const HALF: u16 = 1 << 15;

    /// The logit of the probability of a one.
    #[inline]
    pub(crate) fn logit(self) -> i32 {
        stretch(u32::from(self.0 ^ Self::HALF))
    }

    /// Learns a bit, at a rate that falls to 1/21.
    #[inline]
    pub(crate) fn learn(&mut self, bit: u32) {
        let state = self.0 ^ Self::HALF;
        let count = state & 15;
        let p = i32::from(state >> 4);
        let target = (bit << 12) as i32 - bit as i32;
        let step = ((target - p) * i32::from(SMALL_RATES[usize::from(count)]) + (1 << 15)) >> 16;
        let next = ((p + step) as u16) << 4 | (count + u16::from(count < 15));
        self.0 = next ^ Self::HALF;
    }
}

static SMALL_RATES: [u16; 16] = {
    let mut rates = [0; 16];
    let mut count = 0;
    while count < 16 {
        rates[count] = (655_360 / (13 * count + 16)) as u16;
        count += 1;
    }
    rates
};

/// Counters of one context: a binary tree of up to 31 decisions in one cache line.
/// Place 0 is not a decision; hashed tables keep a check of the context there.
pub(crate) type CounterLine = [SmallCounter; 32];

/// Counters found by a hash of their context. A context that hits another one's line resets it.
pub(crate) struct HashedCounters {
    lines: Vec<CounterLine>,
    shift: u32,
}

impl HashedCounters {
    pub(crate) fn new(bits: u32) -> Self {
        HashedCounters { lines: vec![CounterLine::default(); 1 << bits], shift: 64 - bits }
    }

    #[inline]
    pub(crate) fn line(&mut self, context: u64) -> &mut CounterLine {
        let hash = context.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let check = SmallCounter((hash >> 16) as u16);
        let line = &mut self.lines[(hash >> self.shift) as usize];
        if line[0] != check {
            *line = CounterLine::default();
            line[0] = check;
        }
        line
    }
}

/// A prediction from `N` logits, with weights learnt per set; 65536 is weight one.
pub(crate) struct Mixer<const N: usize> {
    weights: Vec<[i32; N]>,
    rate: u32,
}

impl<const N: usize> Mixer<N> {
    /// `rate`: the weights move by error · logit / 2^(rate + 2).
    pub(crate) fn new(sets: usize, weight: i32, rate: u32) -> Self {
        Mixer { weights: vec![[weight; N]; sets], rate }
    }

    /// Codes one bit with the mixed prediction, and learns from it.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        bit: u32,
        set: usize,
        logits: [i32; N],
    ) -> u32 {
        let weights = &mut self.weights[set];
        let dot: i64 = weights.iter().zip(logits).map(|(&w, x)| i64::from(w) * i64::from(x)).sum();
        let probability = squash((dot >> 16) as i32);
        let bit = coder.bit(bit, probability);
        let error = ((bit << 16) as i32 - probability as i32) >> 2;
        for (weight, logit) in weights.iter_mut().zip(logits) {
            *weight = (*weight + ((logit * error) >> self.rate)).clamp(-(1 << 20), 1 << 20);
        }
        bit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretch_inverts_squash() {
        assert!(SQUASH.is_sorted() && STRETCH.is_sorted());
        assert_eq!((squash(0), stretch(1 << 15)), (1 << 15, 0));
        for logit in -1200..=1200 {
            assert!((stretch(squash(logit)) - logit).abs() <= 16, "{logit}");
        }
    }

    #[test]
    fn distributions_stay_increasing() {
        for rate in 1..=7 {
            let mut distribution = Distribution::<32>::even();
            for step in 0..5000usize {
                distribution.learn(step * step / 700 % 32, rate);
                assert!(distribution.starts().windows(2).all(|w| w[0] < w[1]));
                let mixed = Distribution::mixed([&distribution; 3], [30000, 30000, 5535]).starts();
                assert!(mixed.windows(2).all(|w| w[0] < w[1]) && mixed[31] < 1 << CHOICE_BITS);
            }
        }
    }
}
