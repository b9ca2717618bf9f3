//! Sorts keys, and items by their keys: a radix sort where keys are numbers.

use super::Key;

/// An item with a key to sort by.
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

/// Sorts by key. The sort is stable. It keeps its buffer for the next sort.
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

/// From this many keys on, wider digits are worth their larger tables.
const WIDE: usize = 1 << 12;

/// Bits of a digit: below that number, and from it on.
const NARROW_BITS: u32 = 8;
const WIDE_BITS: u32 = 11;

/// More keys than this do not fit in cache and are first divided by their highest bits.
const MANY: usize = 1 << 17;

impl<T: Keyed> Sorter<T> {
    /// Sorts `items`, whose keys agree in all but their lowest `bits` bits.
    pub(crate) fn sort(&mut self, items: &mut [T], bits: u32) {
        self.sort_by(items, KeyBits { low: 0, high: bits });
    }

    /// Sorts `items`, whose keys agree in all but their lowest `bits` bits. The list may swap its
    /// memory with the spare one, which saves a copy.
    pub(crate) fn sort_list(&mut self, items: &mut Vec<T>, bits: u32) {
        let digits = KeyBits { low: 0, high: bits };
        if self.is_by_comparison(items) || !digits.are_few(items.len()) {
            return self.sort_by(items, digits);
        }
        self.make_room(items);
        self.spare.truncate(items.len());
        let in_spare = !digits.passes(items.len()).is_multiple_of(2);
        sort_by_digits(items, &mut self.spare, digits, in_spare);
        if in_spare {
            std::mem::swap(items, &mut self.spare);
        }
    }

    fn is_by_comparison(&self, items: &[T]) -> bool {
        let is_number = items.first().is_some_and(|item| item.key().digit(0, 1).is_some());
        !is_number || items.len() < FEW
    }

    fn make_room(&mut self, items: &[T]) {
        if self.spare.len() < items.len() {
            self.spare.resize(items.len(), items[0].clone());
        }
    }

    /// Sorts `items` by the bits `digits` of their keys; all bits above must agree. Items that
    /// agree in `digits` keep their order, which must be ascending.
    pub(crate) fn sort_by(&mut self, items: &mut [T], digits: KeyBits) {
        if self.is_by_comparison(items) {
            sort_by_comparison(items);
            return;
        }
        self.make_room(items);
        let spare = &mut self.spare[..items.len()];
        if digits.are_few(items.len()) {
            sort_by_digits(items, spare, digits, false);
            return;
        }
        // The parts are in `spare`; sorting each one moves it back to `items`.
        let (shift, rest) = digits.cut();
        let ends = scatter(items, spare, shift);
        let mut start = 0;
        for end in ends {
            let end = end as usize;
            sort_numbers(&mut spare[start..end], &mut items[start..end], rest);
            start = end;
        }
    }
}

/// The bits of a key to sort by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KeyBits {
    pub(crate) low: u32,
    pub(crate) high: u32,
}

/// Bits by which many keys are divided.
const CUT: u32 = 8;

impl KeyBits {
    /// Whether this many keys are sorted without dividing them.
    fn are_few(self, keys: usize) -> bool {
        keys <= MANY || self.high - self.low <= 11
    }

    /// How many passes it takes to sort this many keys.
    fn passes(self, keys: usize) -> u32 {
        (self.high - self.low).div_ceil(widest(keys))
    }

    /// The shift of the highest [`CUT`] bits, and the bits below.
    fn cut(self) -> (u32, Self) {
        let shift = self.high - CUT;
        (shift, Self { high: shift, ..self })
    }
}

fn sort_by_comparison<T: Keyed>(items: &mut [T]) {
    items.sort_by(|a, b| a.key().cmp(b.key()));
}

/// Sorts `from` into `to`, which has the same length.
fn sort_numbers<T: Keyed>(from: &mut [T], to: &mut [T], digits: KeyBits) {
    if from.len() < FEW {
        to.clone_from_slice(from);
        sort_by_comparison(to);
    } else if digits.are_few(from.len()) {
        sort_by_digits(from, to, digits, true);
    } else {
        let (shift, rest) = digits.cut();
        let ends = scatter(from, to, shift);
        let mut start = 0;
        for end in ends {
            let end = end as usize;
            from[start..end].clone_from_slice(&to[start..end]);
            sort_numbers(&mut from[start..end], &mut to[start..end], rest);
            start = end;
        }
    }
}

/// Bits of the widest digit for this many keys.
fn widest(keys: usize) -> u32 {
    if keys < WIDE { NARROW_BITS } else { WIDE_BITS }
}

/// Sorts by digits. The result is in `spare` if `in_spare`, else in `items`.
fn sort_by_digits<T: Keyed>(items: &mut [T], spare: &mut [T], digits: KeyBits, in_spare: bool) {
    if widest(items.len()) == NARROW_BITS {
        sort_from_the_lowest::<T, NARROW_BITS, { 1 << NARROW_BITS }>(
            items, spare, digits, in_spare,
        );
    } else {
        sort_from_the_lowest::<T, WIDE_BITS, { 1 << WIDE_BITS }>(items, spare, digits, in_spare);
    }
}

fn sort_from_the_lowest<T: Keyed, const WIDEST: u32, const VALUES: usize>(
    items: &mut [T],
    spare: &mut [T],
    KeyBits { low, high }: KeyBits,
    in_spare: bool,
) {
    let passes = (high - low).div_ceil(WIDEST);
    let width = (high - low).div_ceil(passes.max(1)).max(1);
    let digit = |item: &T, shift: u32| {
        item.key().digit(shift, width.min(high - shift)).unwrap_or(0) as usize % VALUES
    };
    let mut is_in_spare = false;
    let (mut from, mut to) = (items, spare);
    let mut next = [0u32; VALUES];
    from.iter().filter(|_| passes > 0).for_each(|item| next[digit(item, low)] += 1);
    for shift in (low..high).step_by(width as usize) {
        let mut start = 0;
        for place in &mut next[..1 << width] {
            start += std::mem::replace(place, start);
        }
        // The same loop counts the values of the next digit.
        let mut above = [0u32; VALUES];
        let above_shift = if shift + width < high { shift + width } else { shift };
        for item in from.iter() {
            let place = &mut next[digit(item, shift)];
            to[*place as usize] = item.clone();
            *place += 1;
            above[digit(item, above_shift)] += 1;
        }
        next = above;
        (from, to) = (to, from);
        is_in_spare = !is_in_spare;
    }
    if is_in_spare != in_spare {
        to.clone_from_slice(from);
    }
}

/// Puts keys into `to` in the order of their [`CUT`] bits at `shift`; returns where the keys of each
/// value end.
fn scatter<T: Keyed>(keys: &[T], to: &mut [T], shift: u32) -> [u32; 1 << CUT] {
    let digit = |key: &T| key.key().digit(shift, CUT).unwrap_or(0) as usize % (1 << CUT);
    let mut next = [0u32; 1 << CUT];
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
        // Repeated keys, so that arrays reach all sizes at which the method changes.
        if words.len().is_multiple_of(3) {
            keys = std::iter::repeat_n(keys, 40).flatten().collect();
        }
        let mut expected = keys.clone();
        expected.sort();
        let mut list = keys.clone();
        Sorter::default().sort(&mut keys, packing.bits() as u32);
        assert_eq!(keys, expected);
        // Twice, with fewer keys the second time: the spare memory is then longer than the list.
        let mut sorter = Sorter::default();
        for kept in [list.len(), list.len() / 2] {
            list.truncate(kept);
            let mut expected = list.clone();
            expected.sort();
            sorter.sort_list(&mut list, packing.bits() as u32);
            assert_eq!(list, expected);
            list.reverse();
        }
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

        #[test]
        fn what_rises_below_the_digits_keeps_its_order(
            keys in proptest::collection::vec(0u64..1 << 14, 1..3000),
            times in 1u64..80,
        ) {
            const LOW: u32 = 18;
            let numbered = keys.iter().cycle().zip(0..keys.len() as u64 * times);
            let mut items: Vec<u64> = numbered.map(|(key, number)| key << LOW | number).collect();
            let mut expected = items.clone();
            expected.sort_unstable();
            Sorter::default().sort_by(&mut items, KeyBits { low: LOW, high: LOW + 14 });
            prop_assert_eq!(items, expected);
        }
    }
}
