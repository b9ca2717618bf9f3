//! Counting: how often each word (or sequence) occurs in a document.

use super::task::Task;
use crate::byte_counts::ByteCounts;
use rustc_hash::FxHashMap;

/// Counts tokens below `tokens`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tally {
    pub(crate) tokens: usize,
}

/// Counts of all tokens, and which of them are not zero.
///
/// Counters have 32 bits, so that twice as many fit in cache. What exceeds them is carried into a
/// table, which is empty except for towers of rules.
#[derive(Debug)]
pub(crate) struct Counters {
    low: Vec<u32>,
    carried: FxHashMap<u32, u64>,
    /// The tokens that are not zero, each once: the first `distinct`.
    touched: Vec<u32>,
    distinct: usize,
}

/// Tokens and their counts, in no particular order.
pub(crate) type Counts = Vec<(u32, u64)>;

impl Task for Tally {
    type Value = Counters;
    type Message = Counts;

    fn value(&self) -> Counters {
        Counters {
            low: vec![0; self.tokens],
            carried: FxHashMap::default(),
            // Room for one more than can be touched: see `local`.
            touched: vec![0; self.tokens + 1],
            distinct: 0,
        }
    }

    #[inline(always)]
    fn local(&self, value: &mut Counters, token: u32, times: u64) {
        let low = &mut value.low[token as usize];
        // A branch on whether a token is new would be mispredicted: the token is always noted, and
        // overwritten if it was not new.
        value.touched[value.distinct] = token;
        value.distinct += usize::from(*low == 0);
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
        let mut counts = Vec::with_capacity(value.distinct);
        value.drain(|token, count| counts.push((token, count)));
        counts
    }
}

impl Counters {
    #[cold]
    fn carry(&mut self, token: u32, sum: u64) {
        // One remains, so that the token does not seem new.
        self.low[token as usize] = 1;
        let carried = self.carried.entry(token).or_default();
        *carried = carried.saturating_add(sum - 1);
    }

    /// Passes all counts that are not zero to `sink` and sets them to zero.
    pub(crate) fn drain(&mut self, mut sink: impl FnMut(u32, u64)) {
        for &token in &self.touched[..std::mem::take(&mut self.distinct)] {
            let low = std::mem::take(&mut self.low[token as usize]);
            let carried = match self.carried.is_empty() {
                true => 0,
                false => self.carried.remove(&token).unwrap_or(0),
            };
            sink(token, carried.saturating_add(u64::from(low)));
        }
    }
}

/// Counts words by rank, below `words`, in bytes.
///
/// In documents that are long for their grammar most words occur, so counts of one byte each are
/// read in the order of ranks and need no sort. Only streams count this way, with few `times` per
/// call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RankTally {
    pub(crate) words: usize,
}

impl Task for RankTally {
    type Value = ByteCounts;
    type Message = Counts;

    fn value(&self) -> ByteCounts {
        let mut counts = ByteCounts::default();
        counts.make_room(self.words);
        counts
    }

    #[inline(always)]
    fn local(&self, value: &mut ByteCounts, rank: u32, times: u64) {
        value.add(rank, times as u32);
    }

    fn integrate(&self, value: &mut ByteCounts, message: &Counts, times: u64) {
        for &(rank, count) in message {
            self.local(value, rank, count.saturating_mul(times));
        }
    }

    fn propagate(&self, value: &mut ByteCounts) -> Counts {
        let mut counts = Counts::new();
        value.drain_sums(|met| counts.extend_from_slice(met));
        counts
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
        assert_eq!(counts[1].1, u64::MAX);
        assert!(tally.propagate(&mut value).is_empty());
    }
}
