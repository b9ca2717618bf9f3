//! Counting: how often each word (or sequence) stands in a document.

use super::task::Task;
use rustc_hash::FxHashMap;

/// Counts tokens below `tokens`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) tokens: usize,
}

/// Counts of all tokens, and which of them are not zero.
///
/// Counters have 32 bits, so that twice as many stay in cache. What passes them is carried into a
/// table that is empty on anything but towers of rules.
#[derive(Debug)]
pub(crate) struct Counters {
    low: Vec<u32>,
    carried: FxHashMap<u32, u64>,
    touched: Vec<u32>,
}

/// Tokens and their counts, in no particular order.
pub(crate) type Counts = Vec<(u32, u64)>;

impl Task for Tally {
    type Value = Counters;
    type Message = Counts;

    fn value(&self) -> Counters {
        Counters { low: vec![0; self.tokens], carried: FxHashMap::default(), touched: Vec::new() }
    }

    #[inline(always)]
    fn local(&self, value: &mut Counters, token: u32, times: u64) {
        let low = &mut value.low[token as usize];
        if *low == 0 {
            value.touched.push(token);
        }
        let sum = u64::from(*low).saturating_add(times);
        *low = sum as u32;
        if sum > u64::from(u32::MAX) {
            value.carry(token, sum);
        }
    }

    fn integrate(&self, value: &mut Counters, message: &Counts, times: u64) {
        for &(token, count) in message {
            self.local(value, token, count.saturating_mul(times));
        }
    }

    fn propagate(&self, value: &mut Counters) -> Counts {
        let mut counts = Vec::with_capacity(value.touched.len());
        value.drain(|token, count| counts.push((token, count)));
        counts
    }
}

impl Counters {
    #[cold]
    fn carry(&mut self, token: u32, sum: u64) {
        let carried = self.carried.entry(token).or_default();
        *carried = carried.saturating_add(sum >> 32 << 32);
    }

    /// Hands out all counts that are not zero and sets them to zero.
    pub(crate) fn drain(&mut self, mut sink: impl FnMut(u32, u64)) {
        for token in self.touched.drain(..) {
            let low = std::mem::take(&mut self.low[token as usize]);
            let carried = match self.carried.is_empty() {
                true => 0,
                false => self.carried.remove(&token).unwrap_or(0),
            };
            // A counter that came round to zero was noted twice; the second time it is empty.
            if low != 0 || carried != 0 {
                sink(token, carried.saturating_add(u64::from(low)));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_pass_32_bits_and_stop_at_64() {
        let tally = Tally { tokens: 3 };
        let mut value = tally.value();
        let half = 1u64 << 31;
        for times in [half, half, 1 << 40, 5] {
            tally.local(&mut value, 1, times);
        }
        tally.local(&mut value, 2, u64::MAX);
        tally.local(&mut value, 2, u64::MAX);
        let mut counts = tally.propagate(&mut value);
        counts.sort_unstable();
        assert_eq!(counts[0], (1, (1 << 32) + (1 << 40) + 5));
        assert_eq!(counts[1].0, 2);
        assert!(counts[1].1 >= u64::MAX - u64::from(u32::MAX));
        assert!(tally.propagate(&mut value).is_empty());
    }
}
