//! Sorting keys, by digits where they are numbers.

use super::{Key, Packing};

/// Sorts keys; keeps its memory from one time to the next.
#[derive(Debug)]
pub(crate) struct Sorter<K> {
    spare: Vec<K>,
}

impl<K> Default for Sorter<K> {
    fn default() -> Self {
        Self { spare: Vec::new() }
    }
}

/// Fewer keys are sorted by comparison.
const FEW: usize = 512;

const DIGITS: usize = 256;

impl<K: Key> Sorter<K> {
    /// Sorts `keys`.
    pub(crate) fn sort(&mut self, keys: &mut Vec<K>, packing: &Packing) {
        let Some(bits) = u32::try_from(packing.bits()).ok().filter(|_| keys.len() >= FEW) else {
            keys.sort_unstable();
            return;
        };
        if keys[0].digit(0).is_none() {
            keys.sort_unstable();
            return;
        }
        for shift in (0..bits).step_by(8) {
            self.sort_by_digit(keys, shift);
        }
    }

    fn sort_by_digit(&mut self, keys: &mut Vec<K>, shift: u32) {
        let digit = |key: &K| usize::from(key.digit(shift).expect("numbers have digits"));
        let mut next = [0u32; DIGITS];
        keys.iter().for_each(|key| next[digit(key)] += 1);
        if next.contains(&(keys.len() as u32)) {
            return;
        }
        let mut start = 0;
        for place in &mut next {
            start += std::mem::replace(place, start);
        }
        self.spare.clear();
        self.spare.resize(keys.len(), keys[0].clone());
        for key in keys.iter() {
            let place = &mut next[digit(key)];
            self.spare[*place as usize] = key.clone();
            *place += 1;
        }
        std::mem::swap(keys, &mut self.spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::sequences::Wide;
    use proptest::prelude::*;

    fn check<K: Key>(words: &[u32], packing: &Packing) {
        let mut key = K::empty(packing);
        let mut keys: Vec<K> = words
            .iter()
            .map(|&word| {
                key = key.roll(word, packing);
                key.clone()
            })
            .collect();
        let mut expected = keys.clone();
        expected.sort();
        Sorter::default().sort(&mut keys, packing);
        assert_eq!(keys, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn keys_are_sorted(words in proptest::collection::vec(0u32..700, 1..2000), n in 1usize..6) {
            let packing = Packing::new(n, 700);
            check::<u64>(&words, &packing);
            check::<u128>(&words, &packing);
            check::<Wide>(&words, &packing);
        }
    }
}
