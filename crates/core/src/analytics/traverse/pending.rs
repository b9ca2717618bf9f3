//! The rules still to visit, as a bitmap of one layer or two (after tadoc section 4.5).
//!
//! Rules are numbered parents first, so visiting them in ascending order is a top-down traversal: a
//! rule is visited after all its parents. The paper keeps a bitmap of files at each rule. zgram
//! visits one document at a time and needs only one bitmap, of rules. The same choice remains: one
//! layer is fastest when most rules are reached, two when few are, because one test skips a whole
//! stretch of rules that are not reached.

const BITS: usize = u64::BITS as usize;

/// How many layers a bitmap has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layers {
    Single,
    Double,
}

/// A set of numbers that returns them in ascending order, while larger ones are added.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    bits: Vec<u64>,
    /// With two layers: which words of `bits` are not zero. Empty with one.
    summary: Vec<u64>,
    /// The words of `bits` that may hold a number.
    low: usize,
    high: usize,
}

impl Pending {
    /// For numbers below `len`.
    pub(crate) fn new(len: usize, layers: Layers) -> Self {
        let words = len.div_ceil(BITS);
        let summary = match layers {
            Layers::Single => 0,
            Layers::Double => words.div_ceil(BITS),
        };
        Self { bits: vec![0; words], summary: vec![0; summary], low: usize::MAX, high: 0 }
    }

    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        let word = number / BITS;
        self.bits[word] |= 1 << (number % BITS);
        if let Some(summary) = self.summary.get_mut(word / BITS) {
            *summary |= 1 << (word % BITS);
        }
        self.low = self.low.min(word);
        self.high = self.high.max(word + 1);
    }

    /// Removes the smallest number.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<usize> {
        while self.low < self.high {
            let bits = &mut self.bits[self.low];
            if *bits != 0 {
                let number = self.low * BITS + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                return Some(number);
            }
            self.low = self.next_word();
        }
        (self.low, self.high) = (usize::MAX, 0);
        None
    }

    /// The next word that may not be empty, after an empty one.
    fn next_word(&mut self) -> usize {
        if self.summary.is_empty() {
            return self.low + 1;
        }
        let mut at = self.low / BITS;
        self.summary[at] &= !(1 << (self.low % BITS));
        // Words before this one are empty, and their marks are cleared.
        while at < self.summary.len() {
            if self.summary[at] != 0 {
                return at * BITS + self.summary[at].trailing_zeros() as usize;
            }
            at += 1;
        }
        self.high
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn gives_numbers_back_in_order(
            rounds in proptest::collection::vec(
                (proptest::collection::vec(0usize..9000, 0..30), 0usize..500), 1..5),
        ) {
            for layers in [Layers::Single, Layers::Double] {
                let mut pending = Pending::new(10_000, layers);
                for (numbers, step) in &rounds {
                    let mut expected: BTreeSet<usize> = numbers.iter().copied().collect();
                    numbers.iter().for_each(|&number| pending.insert(number));
                    // Each number adds a larger one once, as a rule adds its children.
                    let mut added = 0;
                    while let Some(number) = pending.pop() {
                        prop_assert_eq!(Some(number), expected.pop_first());
                        if added < 20 && number + step + 1 < 10_000 {
                            added += 1;
                            pending.insert(number + step + 1);
                            expected.insert(number + step + 1);
                        }
                    }
                    prop_assert!(expected.is_empty());
                }
            }
        }
    }
}
