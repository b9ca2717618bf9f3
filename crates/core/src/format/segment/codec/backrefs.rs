//! Rare symbols that came lately, to be called up again instead of named.
//!
//! A rare symbol comes in bursts: an identifier in one source file, a block's number in a stretch of
//! a log. To name it takes as many bits each time as its frequency in the whole segment asks for. So
//! the last rare symbols of each column are kept in a ring, and one of them may be told by its
//! distance, in as many bits as the distance has. NoBackrefs moves when that happens; a symbol called up
//! from afar is kept once more, in front.

use crate::format::clusters::MOST_CLUSTERS;

/// Symbols kept of a column; distances are less.
pub(crate) const KEPT: usize = 256;

/// Classes of distances: 1, 2 to 3, 4 to 7, and so on.
pub(crate) const CLASSES: usize = KEPT.ilog2() as usize;

/// From this class on a symbol that is called up is kept again.
const FAR: u8 = 2;

/// The class of a distance; as many plain bits tell which of its class it is.
pub(crate) fn class_of(distance: u32) -> u8 {
    distance.ilog2() as u8
}

/// Whether a symbol called up from a distance of this class is kept again.
pub(crate) fn is_far(class: u8) -> bool {
    class >= FAR
}

/// What a writer knows of the symbols that are kept.
#[derive(Debug)]
pub(crate) struct Recent {
    /// By rank: one more than the number of symbols its column had kept before it.
    kept_at: Vec<u32>,
    /// By column: the number of symbols kept, and what [`start`](Self::start) adds.
    kept: [u32; MOST_CLUSTERS],
}

impl Recent {
    pub(crate) fn new(ranks: usize) -> Self {
        Self { kept_at: vec![0; ranks], kept: [KEPT as u32; MOST_CLUSTERS] }
    }

    /// Forgets all symbols, by taking them out of reach.
    pub(crate) fn start(&mut self) {
        self.kept.iter_mut().for_each(|kept| *kept += KEPT as u32);
    }

    /// How long ago a symbol was kept: 1 for the last of its column.
    pub(crate) fn distance(&self, column: u8, rank: u32) -> Option<u32> {
        let distance = self.kept[usize::from(column)] + 1 - self.kept_at[rank as usize];
        Some(distance).filter(|&distance| distance < KEPT as u32)
    }

    pub(crate) fn keep(&mut self, column: u8, rank: u32) {
        let kept = &mut self.kept[usize::from(column)];
        *kept += 1;
        self.kept_at[rank as usize] = *kept;
    }
}

/// What a reader keeps, of one lane.
#[derive(Clone, Debug)]
pub(crate) struct Rings {
    ranks: Box<[[u32; KEPT]; MOST_CLUSTERS]>,
    /// By column: where the next symbol goes.
    next: [u8; MOST_CLUSTERS],
}

impl Default for Rings {
    fn default() -> Self {
        Self { ranks: Box::new([[0; KEPT]; MOST_CLUSTERS]), next: [0; MOST_CLUSTERS] }
    }
}

impl Rings {
    /// Forgets all symbols. Rank 0 stands in place of those that no writer calls up.
    pub(crate) fn clear(&mut self) {
        self.ranks.as_flattened_mut().fill(0);
        self.next.fill(0);
    }
}

/// What recalls symbols while a lane is read.
pub(crate) trait Resolver {
    /// The rank that is `named`, or if it `is_backref` that at the distance; kept if it `is_kept`.
    fn resolve(
        &mut self,
        column: usize,
        named: u32,
        distance: u32,
        is_backref: bool,
        is_kept: bool,
    ) -> u32;
}

impl Resolver for Rings {
    /// Which of them it is can hardly be foreseen, so it is done without branches.
    #[inline(always)]
    fn resolve(
        &mut self,
        column: usize,
        named: u32,
        distance: u32,
        is_backref: bool,
        is_kept: bool,
    ) -> u32 {
        let column = column % MOST_CLUSTERS;
        let (ring, next) = (&mut self.ranks[column], &mut self.next[column]);
        let recalled = ring[usize::from(next.wrapping_sub(distance as u8))];
        let rank = if is_backref { recalled } else { named };
        ring[usize::from(*next)] = rank;
        *next = next.wrapping_add(u8::from(is_kept));
        rank
    }
}

/// Where no symbol is ever recalled.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoBackrefs;

impl Resolver for NoBackrefs {
    #[inline(always)]
    fn resolve(&mut self, _: usize, named: u32, _: u32, _: bool, _: bool) -> u32 {
        named
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_distance_leads_back_to_the_symbol(
            symbols in proptest::collection::vec((0u8..3, 0u32..400), 0..3000),
        ) {
            let mut recent = Recent::new(3 * 400);
            for part in symbols.chunks(1000) {
                recent.start();
                let mut rings = Rings::default();
                for &(column, place) in part {
                    let rank = u32::from(column) * 400 + place;
                    let distance = recent.distance(column, rank);
                    let is_kept = distance.is_none_or(|distance| is_far(class_of(distance)));
                    if is_kept {
                        recent.keep(column, rank);
                    }
                    let named = if distance.is_some() { u32::MAX } else { rank };
                    let found = rings.resolve(
                        usize::from(column),
                        named,
                        distance.unwrap_or(7),
                        distance.is_some(),
                        is_kept,
                    );
                    prop_assert_eq!(found, rank);
                }
            }
        }
    }
}
