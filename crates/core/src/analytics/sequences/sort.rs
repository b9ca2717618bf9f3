//! Sorting keys and what has a key, by digits where keys are numbers.

use super::Key;

/// What is sorted by its key.
pub(crate) trait Keyed: Clone {
    type Key: Key;

    fn key(&self) -> &Self::Key;
}

impl<K: Key> Keyed for K {
    type Key = K;

    #[inline(always)]
    fn key(&self) -> &K {
        self
    }
}

/// Sorts by key; what has the same key keeps its order. Keeps its memory from one time to the next.
#[derive(Debug)]
pub(crate) struct Sorter<T> {
    spare: Vec<T>,
}

impl<T> Default for Sorter<T> {
    fn default() -> Self {
        Self { spare: Vec::new() }
    }
}

/// Fewer keys are sorted by comparison.
const FEW: usize = 96;

/// From here on wider digits pay for their larger tables.
const WIDE: usize = 1 << 12;

/// More keys than fit in cache are first cut by their highest digits.
const MANY: usize = 1 << 17;

impl<T: Keyed> Sorter<T> {
    /// Sorts `items`, whose keys agree in all but their lowest `bits` bits.
    pub(crate) fn sort(&mut self, items: &mut [T], bits: u32) {
        let is_number = items.first().is_some_and(|item| item.key().digit(0, 1).is_some());
        if !is_number || items.len() < FEW {
            sort_by_comparison(items);
            return;
        }
        if self.spare.len() < items.len() {
            self.spare.resize(items.len(), items[0].clone());
        }
        sort_numbers(items, &mut self.spare[..items.len()], bits);
    }
}

fn sort_by_comparison<T: Keyed>(items: &mut [T]) {
    items.sort_by(|a, b| a.key().cmp(b.key()));
}

/// Sorts by the lowest `bits` bits of numbers; `spare` is as long as `keys`.
fn sort_numbers<T: Keyed>(keys: &mut [T], spare: &mut [T], bits: u32) {
    if keys.len() < FEW {
        sort_by_comparison(keys);
    } else if keys.len() < WIDE {
        sort_from_the_lowest::<T, 8, 256>(keys, spare, bits);
    } else if keys.len() <= MANY || bits <= 11 {
        sort_from_the_lowest::<T, 11, 2048>(keys, spare, bits);
    } else {
        let shift = bits - 8;
        let ends = scatter::<T, 8, 256>(keys, spare, shift);
        let mut start = 0;
        for end in ends {
            let end = end as usize;
            keys[start..end].clone_from_slice(&spare[start..end]);
            sort_numbers(&mut keys[start..end], &mut spare[start..end], shift);
            start = end;
        }
    }
}

fn sort_from_the_lowest<T: Keyed, const BITS: usize, const DIGITS: usize>(
    keys: &mut [T],
    spare: &mut [T],
    bits: u32,
) {
    let (mut from, mut to) = (keys, spare);
    let mut is_swapped = false;
    for shift in (0..bits).step_by(BITS) {
        scatter::<T, BITS, DIGITS>(from, to, shift);
        (from, to) = (to, from);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.clone_from_slice(from);
    }
}

/// Puts keys into `to` in the order of their digit at `shift`; returns where each digit's keys end.
fn scatter<T: Keyed, const BITS: usize, const DIGITS: usize>(
    keys: &[T],
    to: &mut [T],
    shift: u32,
) -> [u32; DIGITS] {
    let digit = |key: &T| key.key().digit(shift, BITS as u32).unwrap_or(0) as usize % DIGITS;
    let mut next = [0u32; DIGITS];
    keys.iter().for_each(|key| next[digit(key)] += 1);
    let mut start = 0;
    for place in &mut next {
        start += std::mem::replace(place, start);
    }
    for key in keys {
        let place = &mut next[digit(key)];
        to[*place as usize] = key.clone();
        *place += 1;
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::sequences::{Packing, Wide};
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
        // Some more of the same, so that arrays pass all sizes at which the method changes.
        if words.len().is_multiple_of(3) {
            keys = std::iter::repeat_n(keys, 40).flatten().collect();
        }
        let mut expected = keys.clone();
        expected.sort();
        Sorter::default().sort(&mut keys, packing.bits() as u32);
        assert_eq!(keys, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(zgram_testkit::cases(20)))]
        #[test]
        fn keys_are_sorted(words in proptest::collection::vec(0u32..700, 1..5000), n in 1usize..6) {
            let packing = Packing::new(n, 700);
            check::<u64>(&words, &packing);
            check::<u128>(&words, &packing);
            check::<Wide>(&words, &packing);
        }
    }
}
