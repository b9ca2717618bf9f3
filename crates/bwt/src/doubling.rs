//! Our own sorter of rotations: prefix doubling. The oracle of the tests, and what the library in
//! [`transform`](crate::transform) is compared with.
//!
//! Rotations are first grouped by their first bytes. If groups by the first k symbols are known, the
//! group of rotation i + k says how rotation i continues, so one round doubles k. A tie of any length
//! is broken after logarithmically many rounds; the thesis's merge sort, which walks along each tie
//! four bytes at a time (section 2.1.1), takes time in proportion to it (section 4.4.1).
//!
//! Only groups that are still tied are sorted again (Larsson and Sadakane). On blocks of 900 kB it
//! takes about ten times as long as libsais, and 8 bytes a symbol where libsais takes 5; hence it
//! serves as a yardstick only. Figures: `benchmarks/record/bzip2.md`.

/// The offsets at which rotations begin, in the order of the rotations; equal rotations in any order.
///
/// # Panics
///
/// If the text has 2³¹ bytes or more.
///
/// ```
/// let places = zgram_bwt::sort_rotations_by_doubling(b"banana");
/// assert_eq!(places, [5, 3, 1, 0, 4, 2]);
/// ```
#[must_use]
pub fn sort_rotations_by_doubling(text: &[u8]) -> Vec<u32> {
    let n = text.len();
    assert!(n < 1 << 31, "a block is smaller than 2 GiB");
    let mut places: Vec<u32> = (0..n as u32).collect();
    if n < 2 {
        return places;
    }
    // A rotation's group is known by the last row of its members.
    let mut group = first_groups(text, &mut places);
    let mut depth = 2;
    while depth < n {
        let mut is_sorted = true;
        let mut start = 0;
        while start < n {
            let end = group[places[start] as usize] as usize + 1;
            if end - start > 1 {
                is_sorted &= split(&mut places[start..end], start, depth, &mut group);
            }
            start = end;
        }
        if is_sorted {
            break;
        }
        depth *= 2;
    }
    places
}

/// Sorts by the first two bytes; returns the groups.
fn first_groups(text: &[u8], places: &mut [u32]) -> Vec<u32> {
    let n = text.len();
    let pair =
        |i: usize| usize::from(text[i]) << 8 | usize::from(text[if i + 1 < n { i + 1 } else { 0 }]);
    let mut ends = vec![0u32; 1 << 16];
    for i in 0..n {
        ends[pair(i)] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    let group = (0..n).map(|i| ends[pair(i)] - 1).collect();
    for i in (0..n).rev() {
        let end = &mut ends[pair(i)];
        *end -= 1;
        places[*end as usize] = i as u32;
    }
    group
}

/// Sorts one group, tied on `depth` symbols, by the groups of what comes next. Returns whether no
/// tie is left in it.
///
/// New groups are numbered when all are sorted, so that keys do not change in between.
fn split(tied: &mut [u32], start: usize, depth: usize, group: &mut [u32]) -> bool {
    let n = group.len();
    let key_of = |group: &[u32], place: u32| {
        let on = place as usize + depth;
        group[if on < n { on } else { on - n }]
    };
    let mut keyed: Vec<(u32, u32)> =
        tied.iter().map(|&place| (key_of(group, place), place)).collect();
    keyed.sort_unstable();
    let mut is_sorted = true;
    let mut end = keyed.len();
    while end > 0 {
        let key = keyed[end - 1].0;
        let first = keyed[..end].partition_point(|&(other, _)| other < key);
        is_sorted &= end - first == 1;
        for &(_, place) in &keyed[first..end] {
            group[place as usize] = (start + end - 1) as u32;
        }
        end = first;
    }
    for (place, (_, sorted)) in tied.iter_mut().zip(keyed) {
        *place = sorted;
    }
    is_sorted
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rotation(text: &[u8], from: u32) -> Vec<u8> {
        [&text[from as usize..], &text[..from as usize]].concat()
    }

    proptest! {
        #[test]
        fn rotations_are_in_order(text in proptest::collection::vec(0u8..3, 0..80)) {
            let places = sort_rotations_by_doubling(&text);
            prop_assert!(places.is_sorted_by_key(|&place| rotation(&text, place)));
            let mut all = places.clone();
            all.sort_unstable();
            prop_assert!(all.iter().copied().eq(0..text.len() as u32));
        }
    }

    #[test]
    fn ties_that_never_break_end() {
        assert_eq!(sort_rotations_by_doubling(&[7; 100]).len(), 100);
        let places = sort_rotations_by_doubling(&b"ab".repeat(50));
        assert!(places[..50].iter().all(|place| place % 2 == 0));
    }
}
