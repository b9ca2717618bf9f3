//! Counts of one byte each, so that the counts of a whole vocabulary stay in the cache.
//!
//! In a document most counts are small. A byte holds up to 255; each further 255 become an entry of a
//! list. A count that is not zero stays above zero when that happens, so a scan of the bytes finds every
//! number that was counted, in order.
//!
//! The scan has no branch per byte, since the processor could not predict it. It first lists the groups
//! of eight bytes that are not all zero. Then it writes each byte of those groups to the end of a list,
//! and lengthens the list only if the byte is not zero.

/// Counts of numbers.
#[derive(Debug, Default)]
pub(crate) struct ByteCounts {
    /// By number; all zero between documents.
    counts: Vec<u8>,
    /// A number for each [`FULL`] that its byte does not hold.
    full: Vec<u32>,
}

/// The largest count that a byte holds.
const FULL: u32 = u8::MAX as u32;

/// Bytes in a group.
const GROUP: usize = size_of::<u64>();

/// This many groups are scanned before their bytes are listed.
const GROUPS: usize = 512;

/// At most this many counts are handed out together.
pub(crate) const TOGETHER: usize = 128;

impl ByteCounts {
    /// Makes room for numbers below `most`.
    pub(crate) fn make_room(&mut self, most: usize) {
        if self.counts.len() < most {
            self.counts.resize(most.next_multiple_of(GROUP), 0);
        }
    }

    /// Adds to the count of a number, for which there must be room.
    #[inline(always)]
    pub(crate) fn add(&mut self, number: u32, times: u32) {
        let count = &mut self.counts[number as usize];
        let sum = u64::from(*count) + u64::from(times);
        *count = sum as u8;
        if sum > u64::from(FULL) {
            self.carry(number, sum);
        }
    }

    #[cold]
    fn carry(&mut self, number: u32, sum: u64) {
        let noted = (sum - 1) / u64::from(FULL);
        self.counts[number as usize] = (sum - noted * u64::from(FULL)) as u8;
        self.full.extend(std::iter::repeat_n(number, noted as usize));
    }

    /// Hands out all counts and sets them to zero: mostly in rising order of numbers, up to [`TOGETHER`]
    /// at once. A number may come several times; its counts add up.
    pub(crate) fn drain(&mut self, mut sink: impl FnMut(&[(u32, u32)])) {
        self.drain_bytes(&mut sink);
        self.full.drain(..).for_each(|number| sink(&[(number, FULL)]));
    }

    /// Hands out all counts and sets them to zero: each number once, in rising order, up to [`TOGETHER`]
    /// at once.
    pub(crate) fn drain_sums(&mut self, mut sink: impl FnMut(&[(u32, u64)])) {
        let mut full = std::mem::take(&mut self.full);
        full.sort_unstable();
        let mut next = full.iter().copied().peekable();
        let mut sums = [(0, 0); TOGETHER];
        self.drain_bytes(|met| {
            for (sum, &(number, count)) in sums.iter_mut().zip(met) {
                *sum = (number, u64::from(count));
                while next.next_if_eq(&number).is_some() {
                    sum.1 += u64::from(FULL);
                }
            }
            sink(&sums[..met.len()]);
        });
        full.clear();
        self.full = full;
    }

    fn drain_bytes(&mut self, mut sink: impl FnMut(&[(u32, u32)])) {
        let mut places = [0u16; GROUPS + 1];
        let mut met = [(0, 0); TOGETHER];
        let mut filled = 0;
        let blocks = self.counts.as_chunks_mut::<GROUP>().0.chunks_mut(GROUPS);
        for (start, groups) in (0..).step_by(GROUP * GROUPS).zip(blocks) {
            let mut listed = 0;
            for (place, group) in (0..).zip(groups.iter()) {
                places[listed] = place;
                listed += usize::from(u64::from_le_bytes(*group) != 0);
            }
            for &place in &places[..listed] {
                if filled + GROUP >= TOGETHER {
                    sink(&met[..filled]);
                    filled = 0;
                }
                let counts = std::mem::take(&mut groups[usize::from(place)]);
                let first = start + u32::from(place) * GROUP as u32;
                for (number, count) in (first..).zip(counts) {
                    met[filled] = (number, u32::from(count));
                    filled += usize::from(count != 0);
                }
            }
        }
        sink(&met[..filled]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn counts_are_sums(
            most in 1u32..20_000,
            items in proptest::collection::vec((any::<u32>(), prop_oneof![1u32..5, 200u32..3000]), 0..400),
        ) {
            let (mut counts, mut expected) = (ByteCounts::default(), BTreeMap::<u32, u64>::new());
            counts.make_room(most as usize);
            for is_summed in [false, true, false] {
                expected.clear();
                // One number gets a third of all counts.
                for (at, &(number, times)) in items.iter().enumerate() {
                    let number = if at % 3 == 0 { 0 } else { number % most };
                    counts.add(number, times);
                    *expected.entry(number).or_default() += u64::from(times);
                }
                let mut found = BTreeMap::<u32, u64>::new();
                if is_summed {
                    let mut last = None;
                    counts.drain_sums(|met| for &(number, count) in met {
                        assert!(last.replace(number) < Some(number));
                        found.insert(number, count);
                    });
                } else {
                    counts.drain(|met| {
                        assert!(met.len() <= TOGETHER);
                        for &(number, count) in met {
                            *found.entry(number).or_default() += u64::from(count);
                        }
                    });
                }
                prop_assert_eq!(&found, &expected);
            }
        }
    }

    #[test]
    fn counts_at_the_limits_of_a_byte_are_met() {
        for times in [1, 254, 255, 256, 509, 510, 511, 765, u32::MAX / 255] {
            let mut counts = ByteCounts::default();
            counts.make_room(3);
            counts.add(2, times);
            let mut found = Vec::new();
            counts.drain_sums(|met| found.extend_from_slice(met));
            assert_eq!(found, [(2, u64::from(times))]);
            counts.drain(|met| assert!(met.is_empty()));
        }
    }
}
