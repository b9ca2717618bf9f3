//! The words that get vectors, most frequent first.

use std::cmp::Reverse;

/// The words that get vectors, with their counts. A word's number is its place in the order of falling
/// counts; words of equal count are in the order of their bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// All words without anything between them.
    text: Vec<u8>,
    /// Where each word ends in `text`.
    ends: Vec<usize>,
    counts: Vec<u64>,
    total: u64,
}

impl Vocabulary {
    /// The words of at least `min_count` occurrences, of these the `most` most frequent.
    #[must_use]
    pub fn new(counts: Vec<(Vec<u8>, u64)>, min_count: u64, most: usize) -> Self {
        let mut kept = counts;
        kept.retain(|&(_, count)| count >= min_count);
        kept.sort_unstable_by(|(a, of_a), (b, of_b)| (Reverse(of_a), a).cmp(&(Reverse(of_b), b)));
        kept.truncate(most);
        let mut vocabulary = Self::default();
        for (word, count) in kept {
            vocabulary.text.extend_from_slice(&word);
            vocabulary.ends.push(vocabulary.text.len());
            vocabulary.counts.push(count);
            vocabulary.total = vocabulary.total.saturating_add(count);
        }
        vocabulary
    }

    /// How many words there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether there are no words.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// The text of the word with number `word`.
    #[must_use]
    pub fn text(&self, word: usize) -> &[u8] {
        let start = word.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[word]]
    }

    /// All words, most frequent first.
    pub fn words(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|word| self.text(word))
    }

    /// How often each word occurs, most frequent first.
    #[must_use]
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How often all words occur together.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.total
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(min_count: u64, most: usize) -> Vocabulary {
        let words = [("rare", 1), ("b", 5), ("often", 9), ("a", 5)];
        let counts = words.map(|(word, count)| (word.as_bytes().to_vec(), count));
        Vocabulary::new(counts.into(), min_count, most)
    }

    #[test]
    fn frequent_words_come_first_and_ties_in_the_order_of_bytes() {
        let vocabulary = sample(0, usize::MAX);
        let words: Vec<_> = vocabulary.words().collect();
        assert_eq!(words, [&b"often"[..], b"a", b"b", b"rare"]);
        assert_eq!(vocabulary.counts(), [9, 5, 5, 1]);
        assert_eq!(vocabulary.total(), 20);
    }

    #[test]
    fn limits_leave_words_out() {
        assert_eq!(sample(2, usize::MAX).len(), 3);
        assert_eq!(sample(2, 2).words().collect::<Vec<_>>(), [&b"often"[..], b"a"]);
        let none = sample(10, usize::MAX);
        assert!(none.is_empty() && none.total() == 0);
    }
}
