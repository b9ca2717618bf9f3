//! Move-to-front and its inverse, also in parallel by scans (thesis, sections 2.2 and 3.2).
//!
//! Each symbol is replaced by its place in a list of symbols, and moved to the front of the list. The
//! list depends on everything before, which looks serial. It is not: what a substring does to the
//! list can be computed from the substring alone, and the effect of two neighbours from both effects.
//!
//! - Forward, a substring is summarised by the order in which its symbols were last seen
//!   ([`RecentSymbols`], algorithm 2); [`RecentSymbols::append_unique`] joins two (algorithm 3).
//! - Inverse, by the permutation that its indices make of any list ([`Permutation`], algorithm 5);
//!   [`Permutation::after`] joins two (algorithm 6).
//!
//! Both joins are associative, so a scan gives the list at the beginning of each substring, and
//! substrings are then transformed on their own. The thesis gives 64 symbols to each of thousands of
//! GPU threads; here a substring is so long that the cost of the lists is negligible.

use rayon::prelude::*;

/// Symbols in a substring.
const SUBSTRING: usize = 1 << 15;

/// Places that are handled as one number.
const FRONT: usize = 16;

/// The list of symbols, most recently used first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct List([u8; 256]);

impl Default for List {
    /// Every symbol at its own place.
    fn default() -> Self {
        Self(std::array::from_fn(|place| place as u8))
    }
}

impl List {
    /// A list of these symbols, at most 256. Places past them must not be used.
    pub(crate) fn starting_with(symbols: &[u8]) -> Self {
        let mut list = [0; 256];
        list[..symbols.len()].copy_from_slice(symbols);
        Self(list)
    }

    /// The place of a symbol, which moves to the front (algorithm 1).
    ///
    /// # Panics
    ///
    /// If the symbol is not in the list.
    #[inline]
    pub fn find(&mut self, symbol: u8) -> u8 {
        // Bytes that differ from the symbol, as one number: the lowest zero is the place. Higher ones
        // may be false, by a borrow from the lowest, and do not matter.
        const LOW: u128 = u128::MAX / 255;
        let packed = self.packed_front();
        let differing = packed ^ repeated(symbol);
        let zeros = differing.wrapping_sub(LOW) & !differing & LOW << 7;
        if zeros == 0 {
            return self.find_behind(symbol);
        }
        // All bits up to the lowest one: the places up to that of the symbol. Computing them from the
        // place would lengthen the chain that the next symbol waits for.
        let turned = zeros ^ (zeros - 1);
        self.set_front((packed << 8 | u128::from(symbol)) & turned | packed & !turned);
        (zeros.trailing_zeros() / 8) as u8
    }

    /// The same for a symbol after the first [`FRONT`] places.
    #[inline(never)]
    fn find_behind(&mut self, symbol: u8) -> u8 {
        let behind = memchr::memchr(symbol, &self.0[FRONT..]).expect("the symbol is in the list");
        let place = FRONT + behind;
        self.0.copy_within(..place, 1);
        self.0[0] = symbol;
        place as u8
    }

    /// The symbol at a place, which moves to the front (algorithm 4).
    #[inline]
    pub fn take(&mut self, place: u8) -> u8 {
        let symbol = self.0[usize::from(place)];
        if usize::from(place) < FRONT {
            self.turn_front(place, symbol);
        } else {
            self.0.copy_within(..usize::from(place), 1);
            self.0[0] = symbol;
        }
        symbol
    }

    /// The first places as one number, the front in the lowest byte. Most symbols are found there,
    /// and arithmetic on a number has no branches to be mispredicted.
    #[inline]
    fn packed_front(&self) -> u128 {
        u128::from_le_bytes(*self.0.first_chunk().expect("a list has 256 places"))
    }

    /// Moves the symbol at a place below [`FRONT`] to the front.
    #[inline]
    fn turn_front(&mut self, place: u8, symbol: u8) {
        let packed = self.packed_front();
        let turned = u128::MAX >> (8 * (15 - u32::from(place)));
        self.set_front((packed << 8 | u128::from(symbol)) & turned | packed & !turned);
    }

    #[inline]
    fn set_front(&mut self, packed: u128) {
        *self.0.first_chunk_mut().expect("a list has 256 places") = packed.to_le_bytes();
    }

    /// The symbol at the front.
    #[inline]
    #[must_use]
    pub fn front(&self) -> u8 {
        self.0[0]
    }
}

/// A byte in each place of a number.
#[inline]
fn repeated(byte: u8) -> u128 {
    let half = u64::MAX / 255 * u64::from(byte);
    u128::from(half) << 64 | u128::from(half)
}

/// The symbols of a substring, most recently seen first: its partial list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentSymbols(Vec<u8>);

impl RecentSymbols {
    /// The partial list of a substring (algorithm 2).
    #[must_use]
    pub fn of(substring: &[u8]) -> Self {
        let mut seen = [false; 256];
        let mut symbols = Vec::new();
        for &symbol in substring.iter().rev() {
            if !std::mem::replace(&mut seen[usize::from(symbol)], true) {
                symbols.push(symbol);
                if symbols.len() == 256 {
                    break;
                }
            }
        }
        Self(symbols)
    }

    /// The partial list of this part, appended to `earlier` (AppendUnique, algorithm 3).
    ///
    /// ```
    /// use zgram_bwt::mtf::RecentSymbols;
    ///
    /// let joined = RecentSymbols::of(b"beef").append_unique(&RecentSymbols::of(b"dead"));
    /// assert_eq!(joined.symbols(), b"febda");
    /// ```
    #[must_use]
    pub fn append_unique(&self, earlier: &Self) -> Self {
        let mut seen = [false; 256];
        let mut symbols = Vec::with_capacity(256);
        for &symbol in self.0.iter().chain(&earlier.0) {
            if !std::mem::replace(&mut seen[usize::from(symbol)], true) {
                symbols.push(symbol);
            }
        }
        Self(symbols)
    }

    /// The symbols, most recently seen first.
    #[must_use]
    pub fn symbols(&self) -> &[u8] {
        &self.0
    }

    /// What the substring turns the initial list into.
    fn list(&self) -> List {
        let whole = self.append_unique(&Self(List::default().0.to_vec()));
        List(whole.0.try_into().expect("the initial list has every symbol"))
    }
}

/// What a sequence of indices makes of any list: the symbol from place `p[i]` comes to place i.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutation(List);

impl Permutation {
    /// The permutation that some indices make (algorithm 5).
    #[must_use]
    pub fn of(indices: &[u8]) -> Self {
        let mut list = List::default();
        for &index in indices {
            list.take(index);
        }
        Self(list)
    }

    /// The permutation of these indices after those of `earlier` (algorithm 6).
    ///
    /// ```
    /// use zgram_bwt::mtf::Permutation;
    ///
    /// let joined = Permutation::of(&[4, 1, 0, 2]).after(&Permutation::of(&[2, 1, 0, 0]));
    /// assert_eq!(joined.places()[..5], [2, 0, 4, 1, 3]);
    /// ```
    #[must_use]
    pub fn after(&self, earlier: &Self) -> Self {
        Self(List(self.0.0.map(|place| earlier.0.0[usize::from(place)])))
    }

    /// The places symbols come from.
    #[must_use]
    pub fn places(&self) -> &[u8; 256] {
        &self.0.0
    }
}

/// Replaces symbols by their places in the list (algorithm 1).
#[must_use]
pub fn encode(symbols: &[u8]) -> Vec<u8> {
    let mut list = List::default();
    symbols.iter().map(|&symbol| list.find(symbol)).collect()
}

/// Replaces places by symbols (algorithm 4).
#[must_use]
pub fn decode(places: &[u8]) -> Vec<u8> {
    let mut list = List::default();
    places.iter().map(|&place| list.take(place)).collect()
}

/// What [`encode`] gives, on all cores (section 2.2.1).
///
/// ```
/// use zgram_bwt::mtf;
///
/// assert_eq!(mtf::encode_in_parallel(b"ccbbbaaaaa"), [99, 0, 99, 0, 0, 99, 0, 0, 0, 0]);
/// ```
#[must_use]
pub fn encode_in_parallel(symbols: &[u8]) -> Vec<u8> {
    let partial: Vec<_> = symbols.par_chunks(SUBSTRING).map(RecentSymbols::of).collect();
    let before = exclusive_scan(&partial, RecentSymbols::default(), RecentSymbols::append_unique);
    let mut places = vec![0; symbols.len()];
    places.par_chunks_mut(SUBSTRING).zip(symbols.par_chunks(SUBSTRING)).zip(before).for_each(
        |((places, symbols), before)| {
            let mut list = before.list();
            for (place, &symbol) in places.iter_mut().zip(symbols) {
                *place = list.find(symbol);
            }
        },
    );
    places
}

/// What [`decode`] gives, on all cores (section 3.2.1).
///
/// ```
/// use zgram_bwt::mtf;
///
/// assert_eq!(mtf::decode_in_parallel(&[99, 0, 99, 0, 0, 99, 0, 0, 0, 0]), b"ccbbbaaaaa");
/// ```
#[must_use]
pub fn decode_in_parallel(places: &[u8]) -> Vec<u8> {
    let partial: Vec<_> = places.par_chunks(SUBSTRING).map(Permutation::of).collect();
    let before = exclusive_scan(&partial, Permutation(List::default()), Permutation::after);
    let mut symbols = vec![0; places.len()];
    symbols.par_chunks_mut(SUBSTRING).zip(places.par_chunks(SUBSTRING)).zip(before).for_each(
        |((symbols, places), before)| {
            let mut list = before.0;
            for (symbol, &place) in symbols.iter_mut().zip(places) {
                *symbol = list.take(place);
            }
        },
    );
    symbols
}

/// For each substring, the joined lists of all substrings before it.
fn exclusive_scan<T: Clone>(parts: &[T], identity: T, join: impl Fn(&T, &T) -> T) -> Vec<T> {
    let mut before = Vec::with_capacity(parts.len());
    let mut sum = identity;
    for part in parts {
        let next = join(part, &sum);
        before.push(std::mem::replace(&mut sum, next));
    }
    before
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_worked_examples() {
        // Figures 2.3 and 3.2.
        let places = [99, 0, 99, 0, 0, 99, 0, 0, 0, 0];
        assert_eq!(encode(b"ccbbbaaaaa"), places);
        assert_eq!(decode(&places), b"ccbbbaaaaa");
        // Section 2.2.1.
        let (dead, beef) = (RecentSymbols::of(b"dead"), RecentSymbols::of(b"beef"));
        assert_eq!((dead.symbols(), beef.symbols()), (&b"dae"[..], &b"feb"[..]));
        assert_eq!(beef.append_unique(&dead), RecentSymbols::of(b"deadbeef"));
        // Section 3.2.1.
        let (first, second) = (Permutation::of(&[2, 1, 0, 0]), Permutation::of(&[4, 1, 0, 2]));
        assert_eq!(first.places()[..5], [0, 2, 1, 3, 4]);
        assert_eq!(second.places()[..5], [1, 0, 4, 2, 3]);
        assert_eq!(second.after(&first), Permutation::of(&[2, 1, 0, 0, 4, 1, 0, 2]));
        assert_eq!(second.after(&first).places()[..5], [2, 0, 4, 1, 3]);
    }

    #[test]
    fn many_substrings_are_one_text() {
        let text: Vec<u8> = (0..5 * SUBSTRING + 3).map(|i| (i / 9 % 251 * i % 256) as u8).collect();
        let places = encode_in_parallel(&text);
        assert_eq!(places, encode(&text));
        assert_eq!(decode_in_parallel(&places), text);
    }

    proptest! {
        #[test]
        fn what_was_encoded_comes_back(text in proptest::collection::vec(any::<u8>(), 0..600)) {
            prop_assert_eq!(decode(&encode(&text)), &text[..]);
            prop_assert_eq!(decode_in_parallel(&encode_in_parallel(&text)), &text[..]);
        }

        #[test]
        fn joins_are_what_the_whole_gives(
            text in proptest::collection::vec(0u8..9, 0..60), cut in 0usize..60,
        ) {
            let (left, right) = text.split_at(cut.min(text.len()));
            let joined = RecentSymbols::of(right).append_unique(&RecentSymbols::of(left));
            prop_assert_eq!(joined, RecentSymbols::of(&text));
            let joined = Permutation::of(right).after(&Permutation::of(left));
            prop_assert_eq!(joined, Permutation::of(&text));
        }

        #[test]
        fn joins_are_associative(texts in proptest::array::uniform3(
            proptest::collection::vec(any::<u8>(), 0..40),
        )) {
            let [a, b, c] = texts.each_ref().map(|text| RecentSymbols::of(text));
            prop_assert_eq!(
                c.append_unique(&b).append_unique(&a), c.append_unique(&b.append_unique(&a))
            );
            let [a, b, c] = texts.map(|text| Permutation::of(&text));
            prop_assert_eq!(c.after(&b).after(&a), c.after(&b.after(&a)));
        }
    }
}
