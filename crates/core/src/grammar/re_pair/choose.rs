//! Chooses the pairs that a round replaces: the most frequent ones, up to a number of symbols.

use super::count::Pair;
use std::cmp::Reverse;

/// Pairs with at least this count are in one class until they are sorted.
const MANY: usize = 1 << 10;

/// The most frequent pairs that fill `room` symbols, in order, and whether these are all pairs. If the
/// rest is not worth another round, it is included too. At least one pair is chosen, otherwise the rounds
/// would not end. Pairs with a count of zero are ignored.
pub(super) fn choose(
    pairs: impl Iterator<Item = (Pair, u32)> + Clone,
    room: usize,
) -> (Vec<(Pair, u32)>, bool) {
    // Most counts are one of a few values. Neighbours are summed in separate arrays, so that one update
    // does not wait for the other.
    let mut sums = [[0usize; MANY]; 4];
    let mut turn = 0;
    pairs.clone().for_each(|(_, count)| {
        sums[turn % 4][(count as usize).min(MANY - 1)] += count as usize;
        turn += 1;
    });
    let sums: [usize; MANY] =
        std::array::from_fn(|count| sums.iter().map(|sums| sums[count]).sum());
    let in_order = |&(pair, count): &(Pair, u32)| (Reverse(count), pair);
    if sums.iter().sum::<usize>() <= room + room / 2 {
        let mut all: Vec<(Pair, u32)> = pairs.filter(|&(_, count)| count > 0).collect();
        all.sort_unstable_by_key(in_order);
        return (all, true);
    }
    // The count at which the room ends, and how much room is left then. Of the pairs with exactly this
    // count, the smallest are chosen first.
    let (mut least, mut left) = (MANY - 1, room);
    while sums[least] <= left {
        left -= sums[least];
        least -= 1;
    }
    let (mut chosen, mut last): (Vec<_>, Vec<_>) = pairs
        .filter(|&(_, count)| count as usize >= least)
        .partition(|&(_, count)| count as usize > least || least == MANY - 1);
    let fitting = left / least.max(1);
    if fitting < last.len() {
        last.select_nth_unstable(fitting);
        last.truncate(fitting.max(usize::from(chosen.is_empty())));
    }
    chosen.append(&mut last);
    chosen.sort_unstable_by_key(in_order);
    let mut filled = 0;
    let beyond = chosen.iter().position(|&(_, count)| {
        filled += count as usize;
        filled > room
    });
    chosen.truncate(beyond.map_or(chosen.len(), |at| at.max(1)));
    (chosen, false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_of_all_sorted_pairs(
            counts in proptest::collection::vec(
                prop_oneof![Just(0), 2u32..4, 2u32..40, 1000u32..1050, any::<u16>().prop_map(u32::from)],
                0..300,
            ),
            room in prop_oneof![0usize..2000, 0usize..2_000_000],
        ) {
            let pairs: Vec<(Pair, u32)> =
                counts.iter().zip(0u64..).map(|(&count, at)| (at * 7919 % 1009, count)).collect();
            let mut sorted = pairs.clone();
            sorted.retain(|&(_, count)| count > 0);
            sorted.sort_by_key(|&(pair, count)| (Reverse(count), pair));
            let total: usize = counts.iter().map(|&count| count as usize).sum();
            let (chosen, all) = choose(pairs.into_iter(), room);
            prop_assert_eq!(all, total <= room + room / 2);
            prop_assert_eq!(&chosen[..], &sorted[..chosen.len()]);
            if all {
                prop_assert_eq!(chosen.len(), sorted.len());
            } else {
                let filled = |len: usize| -> usize {
                    sorted[..len].iter().map(|&(_, count)| count as usize).sum()
                };
                prop_assert!(chosen.len() == 1 || filled(chosen.len()) <= room);
                prop_assert!(filled((chosen.len() + 1).min(sorted.len())) > room);
            }
        }
    }
}
