//! What becomes of ranks while they are decoded: they are laid out, as symbols or as they are, or only
//! counted.
//!
//! Decoders fill a small block of ranks, then hand it over. Looking up what a rank stands for misses
//! the cache; in a loop of its own these look-ups do not wait for each other.

use crate::byte_counts::ByteCounts;
use crate::grammar::Symbol;

/// What is wanted of a root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RootAs {
    /// Its symbols in order.
    Layout,
    /// How often each symbol stands in it.
    Tally,
    /// Nothing yet: it is read block by block later on. A root that is not in blocks is laid out.
    Apart,
}

impl RootAs {
    /// What is to be done with a root that is not in blocks.
    pub(crate) fn inline(self) -> Self {
        match self {
            Self::Apart => Self::Layout,
            other => other,
        }
    }
}

/// Where decoded ranks go.
#[derive(Debug)]
pub(crate) struct Sink<'a> {
    symbol_of: &'a [Symbol],
    place: Place<'a>,
    sound: bool,
}

#[derive(Debug)]
enum Place<'a> {
    Layout(&'a mut [Symbol]),
    /// The ranks themselves.
    Ranks(&'a mut [u32]),
    /// By rank; one more than the last counts all that do not exist.
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

    /// Takes the ranks that stand at `at` and after it. They may be out of range.
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
                // Those that do not exist are counted beside the others.
                let missing = self.symbol_of.len() as u32;
                self.sound &= ranks.iter().all(|&rank| rank < missing);
                ranks.iter().for_each(|&rank| counts.add(rank.min(missing), 1));
            }
        }
    }

    /// Whether no rank was out of range so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.sound
    }

    /// Takes over what another has taken.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.sound &= other.sound;
        if let (Place::Tally(counts), Place::Tally(mut others)) = (&mut self.place, other.place) {
            others.drain(|met| met.iter().for_each(|&(rank, count)| counts.add(rank, count)));
        }
    }

    /// How often each of `symbols` symbols was taken, if that is what was wanted. `None` if a rank
    /// was out of range.
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
