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
const FEW: usize = 96;

/// From here on wider digits pay for their larger tables.
const WIDE: usize = 1 << 12;

/// More keys than fit in cache are first cut by their highest digits.
const MANY: usize = 1 << 17;

impl<K: Key> Sorter<K> {
    /// Sorts `keys`.
    pub(crate) fn sort(&mut self, keys: &mut [K], packing: &Packing) {
        let is_number = keys.first().is_some_and(|key| key.digit(0, 1).is_some());
        let bits = u32::try_from(packing.bits()).unwrap_or(u32::MAX);
        if !is_number || keys.len() < FEW {
            keys.sort_unstable();
            return;
        }
        if self.spare.len() < keys.len() {
            self.spare.resize(keys.len(), keys[0].clone());
        }
        sort_numbers(keys, &mut self.spare[..keys.len()], bits);
    }
}

/// Sorts numbers of `bits` bits; `spare` is as long as `keys`.
fn sort_numbers<K: Key>(keys: &mut [K], spare: &mut [K], bits: u32) {
    if keys.len() < FEW {
        keys.sort_unstable();
    } else if keys.len() < WIDE {
        sort_from_the_lowest::<K, 8, 256>(keys, spare, bits);
    } else if keys.len() <= MANY || bits <= 11 {
        sort_from_the_lowest::<K, 11, 2048>(keys, spare, bits);
    } else {
        let shift = bits - 8;
        let ends = scatter::<K, 8, 256>(keys, spare, shift);
        let mut start = 0;
        for end in ends {
            let end = end as usize;
            keys[start..end].clone_from_slice(&spare[start..end]);
            sort_numbers(&mut keys[start..end], &mut spare[start..end], shift);
            start = end;
        }
    }
}

fn sort_from_the_lowest<K: Key, const BITS: usize, const DIGITS: usize>(
    keys: &mut [K],
    spare: &mut [K],
    bits: u32,
) {
    let (mut from, mut to) = (keys, spare);
    let mut is_swapped = false;
    for shift in (0..bits).step_by(BITS) {
        scatter::<K, BITS, DIGITS>(from, to, shift);
        (from, to) = (to, from);
        is_swapped = !is_swapped;
    }
    if is_swapped {
        to.clone_from_slice(from);
    }
}

/// Puts keys into `to` in the order of their digit at `shift`; returns where each digit's keys end.
fn scatter<K: Key, const BITS: usize, const DIGITS: usize>(
    keys: &[K],
    to: &mut [K],
    shift: u32,
) -> [u32; DIGITS] {
    let digit = |key: &K| key.digit(shift, BITS as u32).unwrap_or(0) as usize % DIGITS;
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
        // Some more of the same, so that arrays pass all sizes at which the method changes.
        if words.len().is_multiple_of(3) {
            keys = std::iter::repeat_n(keys, 40).flatten().collect();
        }
        let mut expected = keys.clone();
        expected.sort();
        Sorter::default().sort(&mut keys, packing);
        assert_eq!(keys, expected);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn keys_are_sorted(words in proptest::collection::vec(0u32..700, 1..5000), n in 1usize..6) {
            let packing = Packing::new(n, 700);
            check::<u64>(&words, &packing);
            check::<u128>(&words, &packing);
            check::<Wide>(&words, &packing);
        }
    }
}
