//! From a last column to the symbols that are coded: move-to-front, and runs of zeros as numbers.
//!
//! A byte is at the front exactly if the byte before it is the same. So zeros are found without the
//! list: neighbours are compared eight at a time, and the list is searched only for bytes that differ
//! from the one before, two in five in a text. The length of a run and its number of digits cannot be
//! predicted, so short runs are written without branching on either.

use super::tables::MAX_ALPHABET;

/// Symbols past the last one that may be overwritten.
pub(crate) const SLACK: usize = DIGITS;
/// Digits of a short run, at most.
const DIGITS: usize = 4;
/// The shortest run that needs more digits; shorter ones count as short.
const SHORT: usize = (2 << DIGITS) - 1;

/// The digits of each short run, and their number.
static SHORT_RUNS: [([u16; DIGITS], u8); SHORT] = short_runs();

const fn short_runs() -> [([u16; DIGITS], u8); SHORT] {
    let mut runs = [([0; DIGITS], 0); SHORT];
    let mut run = 0;
    while run < SHORT {
        let mut rest = run;
        let mut digits = 0;
        while rest > 0 {
            rest -= 1;
            runs[run].0[digits] = (rest & 1) as u16;
            digits += 1;
            rest >>= 1;
        }
        runs[run].1 = digits as u8;
        run += 1;
    }
    runs
}

/// Writes the symbols of a column and the end, and counts them. Runs of the front of the list are
/// numbers with the digits 1 and 2; `place` is asked, in order, for the place in the list of each
/// byte that is not at its front.
///
/// There must be room for one symbol more than the column has bytes, plus [`SLACK`].
pub(crate) fn symbols_of<'r>(
    column: &[u8],
    front: u8,
    end: u16,
    room: &'r mut [u16],
    counts: &mut [u32; MAX_ALPHABET],
    mut place: impl FnMut(usize) -> u8,
) -> &'r [u16] {
    let mut short_runs = [0u32; SHORT];
    let mut len = 0;
    let mut done = 0;
    let mut put = |run: usize, symbol: u16, counts: &mut [u32; MAX_ALPHABET]| {
        if let Some((digits, count)) = SHORT_RUNS.get(run) {
            room[len..len + DIGITS].copy_from_slice(digits);
            len += usize::from(*count);
            short_runs[run] += 1;
        } else {
            put_run(run, |digit| {
                room[len] = digit;
                len += 1;
                counts[usize::from(digit)] += 1;
            });
        }
        room[len] = symbol;
        len += 1;
        counts[usize::from(symbol)] += 1;
    };
    let mut before = front;
    for (base, portion) in (0..).step_by(64).zip(column.chunks(64)) {
        let mut changes = changes(portion, &mut before);
        while changes != 0 {
            let at = base + changes.trailing_zeros() as usize;
            changes &= changes - 1;
            put(at - done, u16::from(place(at)) + 1, counts);
            done = at + 1;
        }
    }
    put(column.len() - done, end, counts);
    for (count, (digits, used)) in short_runs.into_iter().zip(&SHORT_RUNS) {
        for &digit in &digits[..usize::from(*used)] {
            counts[usize::from(digit)] += count;
        }
    }
    &room[..len]
}

/// A bit for each of up to 64 bytes that differs from the one before, the first in the lowest place.
fn changes(bytes: &[u8], before: &mut u8) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let mut changes = 0;
    for (&word, place) in words.iter().zip(0..) {
        changes |= changes_of_word(u64::from_le_bytes(word), before) << (8 * place);
    }
    for (&byte, place) in rest.iter().zip(8 * words.len()..) {
        changes |= u64::from(byte != *before) << place;
        *before = byte;
    }
    changes
}

/// The same for eight bytes, the first in the lowest place.
#[inline]
fn changes_of_word(word: u64, before: &mut u8) -> u64 {
    const LOW: u64 = u64::MAX / 255;
    const HIGH: u64 = LOW << 7;
    let differing = word ^ (word << 8 | u64::from(*before));
    *before = (word >> 56) as u8;
    // The highest bit of each byte that is not zero, then all of them side by side: the factor moves
    // that of byte k by 56 - 7 k places, and no two come to lie on each other.
    let marks = (((differing & !HIGH) + !HIGH) | differing) & HIGH;
    (marks >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The digits of a run, the lowest first: symbol 0 is the digit 1, symbol 1 the digit 2.
fn put_run(mut run: usize, mut put: impl FnMut(u16)) {
    while run > 0 {
        run -= 1;
        put((run & 1) as u16);
        run >>= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mtf::List;
    use proptest::prelude::*;

    fn digits(run: usize) -> Vec<u16> {
        let mut digits = Vec::new();
        put_run(run, |digit| digits.push(digit));
        digits
    }

    #[test]
    fn runs_are_numbers_without_a_zero() {
        assert_eq!(digits(0), [0u16; 0]);
        assert_eq!(digits(1), [0]);
        assert_eq!(digits(2), [1]);
        assert_eq!(digits(3), [0, 0]);
        assert_eq!(digits(4), [1, 0]);
        assert_eq!(digits(5), [0, 1]);
        for run in 1..1000 {
            let value: usize =
                digits(run).iter().enumerate().map(|(i, &d)| usize::from(d + 1) << i).sum();
            assert_eq!(value, run);
        }
        for (run, (short, len)) in SHORT_RUNS.iter().enumerate() {
            assert_eq!(short[..usize::from(*len)], digits(run));
        }
        assert_eq!(digits(SHORT).len(), DIGITS + 1);
    }

    /// Symbols and counts of a column whose bytes are all in `occurring`.
    fn symbols(column: &[u8], occurring: &[u8]) -> (Vec<u16>, [u32; MAX_ALPHABET]) {
        let mut room = vec![0; column.len() + 1 + SLACK];
        let mut counts = [0; MAX_ALPHABET];
        let mut list = List::starting_with(occurring);
        let end = occurring.len() as u16 + 1;
        let find = |at: usize| list.find(column[at]);
        (symbols_of(column, occurring[0], end, &mut room, &mut counts, find).to_vec(), counts)
    }

    /// Symbol by symbol, as the format defines it.
    fn by_definition(column: &[u8], occurring: &[u8]) -> Vec<u16> {
        let (mut list, mut symbols, mut run) = (occurring.to_vec(), Vec::new(), 0);
        for &byte in column {
            let place = list.iter().position(|&other| other == byte).unwrap();
            list.remove(place);
            list.insert(0, byte);
            if place == 0 {
                run += 1;
                continue;
            }
            symbols.extend(digits(std::mem::take(&mut run)));
            symbols.push(place as u16 + 1);
        }
        symbols.extend(digits(run));
        symbols.push(occurring.len() as u16 + 1);
        symbols
    }

    fn check(column: &[u8]) {
        let mut occurring = column.to_vec();
        occurring.sort_unstable();
        occurring.dedup();
        let (found, counts) = symbols(column, &occurring);
        assert_eq!(found, by_definition(column, &occurring));
        for (symbol, &count) in counts.iter().enumerate() {
            assert_eq!(found.iter().filter(|&&s| usize::from(s) == symbol).count(), count as usize);
        }
    }

    #[test]
    fn symbols_of_the_example() {
        // ccbbbaaaaa: three symbols, so the list is a, b, c; 4 is the end.
        let (found, counts) = symbols(b"ccbbbaaaaa", b"abc");
        assert_eq!(found, [3, 0, 3, 1, 3, 1, 0, 4]);
        assert_eq!(counts[..5], [2, 2, 0, 3, 1]);
    }

    #[test]
    fn runs_of_every_length_wherever_they_begin() {
        for run in 1..150 {
            for before in [0, 1, 7, 8, 63, 64] {
                let mut column = vec![7; before];
                column.extend(vec![9; run]);
                column.push(7);
                check(&column);
            }
        }
    }

    #[test]
    fn all_bytes() {
        check(&(0..=255).collect::<Vec<u8>>());
        check(&(0..=255).rev().collect::<Vec<u8>>());
        check(&(0..9000u32).map(|i| (i * i / 7) as u8).collect::<Vec<u8>>());
    }

    proptest! {
        #[test]
        fn symbols_are_those_of_the_format(
            runs in proptest::collection::vec((any::<u8>(), 1usize..40), 1..80),
        ) {
            check(&runs.iter().flat_map(|&(byte, len)| vec![byte; len]).collect::<Vec<u8>>());
        }

        #[test]
        fn few_bytes_in_any_order(column in proptest::collection::vec(0u8..20, 1..400)) {
            check(&column);
        }

        #[test]
        fn neighbours_are_compared(bytes in proptest::collection::vec(0u8..3, 0..=64), first in 0u8..3) {
            let mut before = first;
            let found = changes(&bytes, &mut before);
            let mut last = first;
            let expected = bytes.iter().enumerate().fold(0, |bits, (place, &byte)| {
                bits | u64::from(std::mem::replace(&mut last, byte) != byte) << place
            });
            prop_assert_eq!(found, expected);
            prop_assert_eq!(before, last);
        }
    }
}
