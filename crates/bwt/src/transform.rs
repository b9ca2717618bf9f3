//! The forward transform (thesis, section 2.1): the last column of the sorted rotations.
//!
//! A block is turned to its [least rotation](crate::rotation); then sorted suffixes are sorted
//! rotations, and libsais writes the last column without a suffix array in between. libsais is
//! linear in the length of a block, so ties cost nothing: a block of one repeated byte takes no
//! longer than text, where the thesis's string sort slows down by the length of ties (section
//! 4.4.1) and bzip2's by another factor.
//!
//! libsais was chosen by measurement. On blocks of 900 kB it takes 24 ns a byte of enwiki, divsufsort
//! (which lbzip2 is built on) 51, our own [doubling](crate::doubling) about 300. It is C behind a safe
//! wrapper; this crate contains no `unsafe`.

use crate::histogram::count_bytes;
use crate::rotation::least_rotation;
use libsais::bwt::{AuxIndicesSamplingRate, BwtConstruction};

/// The row of every 32nd offset is recorded while sorting. The row of the block's beginning is found by
/// walking back from the next recorded one. This costs an eighth of a byte per symbol and, on average,
/// sixteen steps.
const SAMPLING: usize = 32;

/// A transformed block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transformed {
    /// The last symbols of the sorted rotations.
    pub last_column: Vec<u8>,
    /// The row of the text itself among them: the first, if the text repeats a shorter one and has
    /// several.
    pub origin: usize,
}

/// The Burrows-Wheeler transform of `text`.
///
/// ```
/// let transformed = zgram_bwt::forward(b"ababacabac");
/// assert_eq!(transformed.last_column, b"ccbbbaaaaa");
/// assert_eq!(transformed.origin, 0);
/// ```
#[must_use]
pub fn forward(text: &[u8]) -> Transformed {
    let mut last_column = text.to_vec();
    let origin = Sorter::default().transform(&mut last_column);
    Transformed { last_column, origin }
}

/// Reusable working memory of the forward transform: little more than four bytes for each symbol of the
/// largest block, besides the block itself.
#[derive(Debug, Default)]
pub struct Sorter {
    suffixes: Vec<i32>,
    rows: Vec<i32>,
}

impl Sorter {
    /// Replaces the text by its last column and returns the row of the text.
    ///
    /// # Panics
    ///
    /// If it has 2³¹ bytes or more.
    pub fn transform(&mut self, text: &mut [u8]) -> usize {
        self.transform_and_count(text).0
    }

    /// The same, and the count of each byte.
    pub(crate) fn transform_and_count(&mut self, text: &mut [u8]) -> (usize, [u32; 256]) {
        let n = text.len();
        assert!(i32::try_from(n).is_ok(), "a block is smaller than 2 GiB");
        let counts = count_bytes(text);
        if n < 2 {
            return (0, counts);
        }
        let turn = least_rotation(text);
        text.rotate_left(turn);
        self.reserve(n);
        self.rows.resize((n - 1) / SAMPLING + 1, 0);
        let last_column = text;
        BwtConstruction::replace_text(last_column)
            .with_borrowed_temporary_array_buffer(&mut self.suffixes[..n])
            .single_threaded()
            .with_aux_indices_in_buffer(
                AuxIndicesSamplingRate::from(SAMPLING as i32),
                &mut self.rows,
            )
            .run()
            .expect("lengths and buffers were checked");
        // libsais sorts the empty suffix too, whose last symbol is that of the text, and leaves out
        // the row of the whole text, which would show the same symbol. The whole text is the least
        // rotation, so its row is the first one and the two columns are the same. (A text that
        // repeats itself has several equal first rows, all with this symbol.)
        (self.row_of((n - turn) % n, last_column, &counts), counts)
    }

    /// The first row of the rotation that begins at `place` of the turned text.
    fn row_of(&self, place: usize, last_column: &[u8], counts: &[u32; 256]) -> usize {
        let noted = place.div_ceil(SAMPLING);
        let back = noted * SAMPLING - place;
        // After the end comes the beginning. libsais counts rows from the empty suffix.
        let n = last_column.len();
        let (row, back, noted) = match self.rows.get(noted) {
            Some(&row) => (row, back, noted * SAMPLING),
            None => (self.rows[0], n - place, 0),
        };
        // A text of k equal parts has k equal rows of each kind, those of later places first; it
        // is the last of its own.
        let period = n / self.rows[0] as usize;
        let equal_before = (n - 1 - noted) / period;
        let row = row as usize - 1;
        (0..back).fold(row, |row, _| row_before(row, last_column, counts)) - equal_before
    }

    fn reserve(&mut self, len: usize) {
        let more = len.saturating_sub(self.suffixes.len());
        self.suffixes.reserve_exact(more);
        self.suffixes.resize(self.suffixes.len() + more, 0);
    }

    /// Gives the suffix memory, at least `len` symbols of two bytes, for other work between two
    /// transforms.
    pub(crate) fn scratch(&mut self, len: usize) -> &mut [u16] {
        self.reserve(len.div_ceil(2));
        &mut bytemuck::cast_slice_mut(&mut self.suffixes)[..len]
    }
}

/// The row of the rotation that begins one symbol earlier: among the rotations that begin with the
/// symbol, it has the rank that the symbol has in the last column.
fn row_before(row: usize, last_column: &[u8], counts: &[u32; 256]) -> usize {
    let symbol = last_column[row];
    let less: u32 = counts[..usize::from(symbol)].iter().sum();
    let rank = memchr::memchr_iter(symbol, &last_column[..row]).count();
    less as usize + rank
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doubling::sort_rotations_by_doubling;
    use proptest::prelude::*;

    /// The transform by its definition.
    fn by_definition(text: &[u8]) -> Vec<u8> {
        let n = text.len();
        let places = sort_rotations_by_doubling(text);
        places.iter().map(|&place| text[(place as usize + n - 1) % n]).collect()
    }

    /// The row must hold the text, and be the first to do so.
    fn check(text: &[u8]) {
        let transformed = forward(text);
        assert_eq!(transformed.last_column, by_definition(text));
        let is_text = |place: usize| text[place..].iter().chain(&text[..place]).eq(text);
        let places = sort_rotations_by_doubling(text);
        let first = places.iter().position(|&place| is_text(place as usize));
        assert_eq!(transformed.origin, first.unwrap_or(0));
    }

    #[test]
    fn the_worked_examples() {
        // Figure 2.2, and figure 3.5 backwards.
        let transformed = forward(b"ababacabac");
        assert_eq!((&transformed.last_column[..], transformed.origin), (&b"ccbbbaaaaa"[..], 0));
        let transformed = forward(b"mississippi");
        assert_eq!((&transformed.last_column[..], transformed.origin), (&b"pssmipissii"[..], 4));
    }

    #[test]
    fn short_and_tied_texts() {
        for text in [&b""[..], b"x", b"xx", b"ab", b"ba", b"abab", b"aab", b"baa", b"aba"] {
            check(text);
        }
        for len in [7, 8, 9, 255, 256, 1000] {
            check(&vec![b'a'; len]);
            check(&b"ab".repeat(len));
            check(&b"ba".repeat(len));
            let mut text = vec![b'a'; len];
            text.push(b'b');
            check(&text);
            text.rotate_left(len / 2);
            check(&text);
        }
    }

    #[test]
    fn memory_is_used_again_for_blocks_of_other_lengths() {
        let mut sorter = Sorter::default();
        for text in [&b"mississippi"[..], b"abc", b"ababacabac", b""] {
            let mut last_column = text.to_vec();
            let origin = sorter.transform(&mut last_column);
            assert_eq!(forward(text), Transformed { last_column, origin });
            sorter.scratch(text.len() * 3).fill(7);
        }
    }

    proptest! {
        #[test]
        fn any_text(text in proptest::collection::vec(any::<u8>(), 0..300)) {
            check(&text);
        }

        #[test]
        fn few_symbols(text in proptest::collection::vec(0u8..3, 0..300)) {
            check(&text);
        }

        #[test]
        fn repeated_texts(unit in proptest::collection::vec(0u8..3, 1..9), times in 1usize..30) {
            check(&unit.repeat(times));
        }
    }
}
