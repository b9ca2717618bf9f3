//! Receives decoded ranks: stores them as symbols or as ranks, or only counts them.
//!
//! Decoders fill a small chunk of ranks, then hand it over. Looking up the symbol of a rank misses the
//! cache; in a separate loop these look-ups do not wait for each other.

use crate::byte_counts::ByteCounts;
use crate::grammar::Symbol;

/// How to decode a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootAs {
    /// In full: all symbols in order.
    Layout,
    /// Only how often each symbol occurs in it.
    Tally,
    /// Not yet: the caller reads it block by block later. A root without blocks is decoded in full.
    Apart,
}

impl RootAs {
    /// How to decode a root that is not in blocks.
    pub(crate) fn inline(self) -> Self {
        match self {
            Self::Apart => Self::Layout,
            other => other,
        }
    }
}

/// Receives decoded ranks.
#[derive(Debug)]
pub(crate) struct Sink<'a> {
    symbol_of: &'a [Symbol],
    place: Place<'a>,
    sound: bool,
}

#[derive(Debug)]
enum Place<'a> {
    Layout(&'a mut [Symbol]),
    /// Stores the ranks themselves.
    Ranks(&'a mut [u32]),
    /// Counts by rank. One more entry counts all ranks that do not exist.
    Tally(ByteCounts),
}

impl<'a> Sink<'a> {
    pub(crate) fn layout(symbol_of: &'a [Symbol], out: &'a mut [Symbol]) -> Self {
        Self { symbol_of, place: Place::Layout(out), sound: true }
    }

    pub(crate) fn ranks(symbol_of: &'a [Symbol], out: &'a mut [u32]) -> Self {
        Self { symbol_of, place: Place::Ranks(out), sound: true }
    }

    pub(crate) fn tally(symbol_of: &'a [Symbol]) -> Self {
        let mut counts = ByteCounts::default();
        counts.make_room(symbol_of.len() + 1);
        Self { symbol_of, place: Place::Tally(counts), sound: true }
    }

    /// Takes ranks; the first is at position `at` of the root. They may be out of range.
    pub(crate) fn take(&mut self, at: usize, ranks: &[u32]) {
        match &mut self.place {
            Place::Layout(out) => {
                for (slot, &rank) in out[at..at + ranks.len()].iter_mut().zip(ranks) {
                    match self.symbol_of.get(rank as usize) {
                        Some(&symbol) => *slot = symbol,
                        None => self.sound = false,
                    }
                }
            }
            Place::Ranks(out) => {
                out[at..at + ranks.len()].copy_from_slice(ranks);
                let most = ranks.iter().copied().max().unwrap_or(0);
                self.sound &= (most as usize) < self.symbol_of.len();
            }
            Place::Tally(counts) => {
                // Ranks that do not exist share one entry after the others.
                let missing = self.symbol_of.len() as u32;
                self.sound &= ranks.iter().all(|&rank| rank < missing);
                ranks.iter().for_each(|&rank| counts.add(rank.min(missing), 1));
            }
        }
    }

    /// Whether all ranks so far were in range.
    pub(crate) fn is_sound(&self) -> bool {
        self.sound
    }

    /// Adds the counts of another sink.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.sound &= other.sound;
        if let (Place::Tally(counts), Place::Tally(mut others)) = (&mut self.place, other.place) {
            others.drain(|met| met.iter().for_each(|&(rank, count)| counts.add(rank, count)));
        }
    }

    /// How often each of `symbols` symbols occurred, if they were counted. `None` if a rank was out
    /// of range.
    pub(crate) fn finish(self, symbols: usize) -> Option<Vec<u32>> {
        match self.place {
            Place::Layout(_) | Place::Ranks(_) => self.sound.then(Vec::new),
            Place::Tally(mut counts) => {
                let mut uses = vec![0; symbols];
                counts.drain(|met| {
                    for &(rank, count) in met {
                        if let Some(&symbol) = self.symbol_of.get(rank as usize) {
                            uses[symbol as usize] += count;
                        }
                    }
                });
                self.sound.then_some(uses)
            }
        }
    }
}
