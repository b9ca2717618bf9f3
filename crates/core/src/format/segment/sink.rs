//! What becomes of ranks while they are decoded: they are laid out as symbols, or only counted.
//!
//! Decoders fill a small block of ranks, then hand it over. Looking up what a rank stands for misses
//! the cache; in a loop of its own these look-ups do not wait for each other.

use crate::grammar::Symbol;

/// Ranks handed over at once; few enough to stay in the nearest cache.
pub(crate) const BLOCK: usize = 512;

/// What is wanted of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootAs {
    /// Its symbols in order.
    Layout,
    /// How often each symbol stands in it.
    Tally,
}

/// Where decoded ranks go.
#[derive(Debug)]
pub(super) struct Sink<'a> {
    symbol_of: &'a [Symbol],
    place: Place<'a>,
    sound: bool,
}

#[derive(Debug)]
enum Place<'a> {
    Layout(&'a mut [Symbol]),
    /// By rank; the last place counts all that do not exist.
    Tally(Vec<u32>),
}

impl<'a> Sink<'a> {
    pub(super) fn layout(symbol_of: &'a [Symbol], out: &'a mut [Symbol]) -> Self {
        Self { symbol_of, place: Place::Layout(out), sound: true }
    }

    pub(super) fn tally(symbol_of: &'a [Symbol]) -> Self {
        Self { symbol_of, place: Place::Tally(vec![0; symbol_of.len() + 1]), sound: true }
    }

    /// Takes the ranks that stand at `at` and after it. They may be out of range.
    pub(super) fn take(&mut self, at: usize, ranks: &[u32]) {
        match &mut self.place {
            Place::Layout(out) => {
                for (slot, &rank) in out[at..at + ranks.len()].iter_mut().zip(ranks) {
                    match self.symbol_of.get(rank as usize) {
                        Some(&symbol) => *slot = symbol,
                        None => self.sound = false,
                    }
                }
            }
            Place::Tally(counts) => {
                let last = counts.len() - 1;
                ranks.iter().for_each(|&rank| counts[last.min(rank as usize)] += 1);
            }
        }
    }

    /// Takes over what another has taken.
    pub(super) fn absorb(&mut self, other: Self) {
        self.sound &= other.sound;
        if let (Place::Tally(counts), Place::Tally(others)) = (&mut self.place, other.place) {
            counts.iter_mut().zip(others).for_each(|(count, other)| *count += other);
        }
    }

    /// How often each of `symbols` symbols was taken, if that is what was wanted. `None` if a rank
    /// was out of range.
    pub(super) fn finish(self, symbols: usize) -> Option<Vec<u32>> {
        match self.place {
            Place::Layout(_) => self.sound.then(Vec::new),
            Place::Tally(counts) => {
                let mut uses = vec![0; symbols];
                for (&symbol, &count) in self.symbol_of.iter().zip(&counts) {
                    uses[symbol as usize] = count;
                }
                (counts[self.symbol_of.len()] == 0).then_some(uses)
            }
        }
    }
}
