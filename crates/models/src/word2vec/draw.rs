//! What training draws by chance: words that are not the answer, and words to leave out.

use crate::random::Random;

/// Negative samples are drawn by counts to this power.
const POWER: f64 = 0.75;

/// Draws words in proportion to their counts to the power of 0.75, each in constant time.
///
/// Walker's alias method: every word has a slot of the same size, and what a word has beyond its slot
/// fills the slots of rarer words. The table has 8 bytes per word; the original has 400 MB.
#[derive(Clone, Debug)]
pub(super) struct NegativeWords {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Below this share of 2^32 the slot's own word is drawn.
    own: u32,
    /// The word drawn otherwise.
    other: u32,
}

impl NegativeWords {
    /// For words with these counts.
    pub(super) fn new(counts: &[u64]) -> Self {
        let weights: Vec<f64> = counts.iter().map(|&count| (count as f64).powf(POWER)).collect();
        let mean = weights.iter().sum::<f64>() / weights.len() as f64;
        let mut left: Vec<f64> = weights.iter().map(|weight| weight / mean).collect();
        let mut slots: Vec<Slot> =
            (0..counts.len()).map(|word| Slot { own: u32::MAX, other: word as u32 }).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..counts.len()).partition(|&word| left[word] < 1.0);
        while let (Some(&few), Some(&many)) = (small.last(), large.last()) {
            small.pop();
            slots[few] = Slot { own: (left[few] * 2f64.powi(32)) as u32, other: many as u32 };
            left[many] -= 1.0 - left[few];
            if left[many] < 1.0 {
                large.pop();
                small.push(many);
            }
        }
        Self { slots }
    }

    /// The next word.
    #[inline(always)]
    pub(super) fn draw(&self, random: &mut Random) -> u32 {
        let bits = random.bits();
        // The high half chooses a slot, the low half a word of it.
        let slot = (((bits >> 32) * self.slots.len() as u64) >> 32) as usize;
        let Slot { own, other } = self.slots[slot];
        if (bits as u32) < own { slot as u32 } else { other }
    }
}

/// Leaves out occurrences of frequent words, as word2vec.c and gensim do: with `t` the words of the
/// corpus times the sample rate, a word that occurs `n` times stays with probability
/// `(sqrt(n / t) + 1) * t / n`.
#[derive(Clone, Debug)]
pub(super) struct Subsample {
    /// The probability of each word; empty if all words stay.
    stays: Vec<f32>,
}

impl Subsample {
    /// For words with these counts; a rate of 0 keeps all.
    pub(super) fn new(counts: &[u64], total: u64, rate: f64) -> Self {
        if rate == 0.0 {
            return Self { stays: Vec::new() };
        }
        let threshold = rate * total as f64;
        let probability = |&count: &u64| {
            let times = count as f64 / threshold;
            (times.sqrt() + 1.0) / times
        };
        Self { stays: counts.iter().map(|count| probability(count).min(1.0) as f32).collect() }
    }

    /// Copies the words that stay.
    pub(super) fn keep(&self, words: &[u32], random: &mut Random, kept: &mut Vec<u32>) {
        kept.clear();
        if self.stays.is_empty() {
            kept.extend_from_slice(words);
            return;
        }
        kept.extend(words.iter().copied().filter(|&word| {
            let probability = self.stays[word as usize];
            // Rare words take no random number.
            probability >= 1.0 || random.unit() < probability
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn negative_words_come_by_their_counts_to_the_power() {
        let counts = [1000, 300, 300, 20, 1u32];
        let table = NegativeWords::new(&counts.map(u64::from));
        let weights = counts.map(|count| f64::from(count).powf(0.75));
        let total: f64 = weights.iter().sum();
        let mut random = Random::new(7, 0);
        let draws = 400_000;
        let mut seen = [0u32; 5];
        (0..draws).for_each(|_| seen[table.draw(&mut random) as usize] += 1);
        for (seen, weight) in seen.iter().zip(weights) {
            let expected = weight / total * f64::from(draws);
            // Five standard deviations.
            assert!((f64::from(*seen) - expected).abs() < 5.0 * expected.sqrt(), "{seen:?}");
        }
    }

    #[test]
    fn the_table_is_exact_for_equal_and_single_words() {
        let mut random = Random::new(7, 0);
        let one = NegativeWords::new(&[9]);
        assert!((0..100).all(|_| one.draw(&mut random) == 0));
        let equal = NegativeWords::new(&[5; 3]);
        let mut seen = [0u32; 3];
        (0..30_000).for_each(|_| seen[equal.draw(&mut random) as usize] += 1);
        assert!(seen.iter().all(|&count| (9_500..10_500).contains(&count)), "{seen:?}");
    }

    #[test]
    fn frequent_words_are_left_out_as_often_as_gensim_does() {
        // gensim 4.4: sqrt(n / t) + 1 times t / n, t = 0.001 of 100,000.
        let counts = [90_000, 9_900, 100];
        let subsample = Subsample::new(&counts, 100_000, 1e-3);
        let words: Vec<u32> = [0, 1, 2].repeat(100_000);
        let (mut random, mut kept) = (Random::new(3, 0), Vec::new());
        subsample.keep(&words, &mut random, &mut kept);
        let share = |word| kept.iter().filter(|&&kept| kept == word).count() as f64 / 1e5;
        assert!((share(0) - 0.034_44).abs() < 0.002, "{}", share(0));
        assert!((share(1) - 0.110_60).abs() < 0.004, "{}", share(1));
        assert_eq!(share(2), 1.0);
        let all = Subsample::new(&counts, 100_000, 0.0);
        all.keep(&words, &mut random, &mut kept);
        assert_eq!(kept, words);
    }
}
