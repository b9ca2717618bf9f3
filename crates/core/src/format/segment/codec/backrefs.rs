//! Back-references: rare symbols that occurred recently are coded by their distance.
//!
//! A rare symbol occurs in bursts: an identifier in one source file, a block's number in a part of a
//! log. Its rank takes many bits each time, since the symbol is rare in the whole segment. So a ring
//! keeps the last rare symbols of each column, and a symbol in the ring can be coded by its distance,
//! in about as many bits as the distance has. A symbol referenced from far away is added to the ring
//! again; otherwise the ring stays as it is.

use crate::format::clusters::MOST_CLUSTERS;

/// Symbols in the ring of a column. All distances are smaller.
pub(crate) const KEPT: usize = 256;

/// Classes of distances: 1, 2 to 3, 4 to 7, and so on.
pub(crate) const CLASSES: usize = KEPT.ilog2() as usize;

/// From this class on, a referenced symbol is added to the ring again.
const FAR: u8 = 2;

/// The class of a distance. A distance of class k has k plain bits.
pub(crate) fn class_of(distance: u32) -> u8 {
    distance.ilog2() as u8
}

/// Whether a symbol at a distance of this class is added to the ring again.
pub(crate) fn is_far(class: u8) -> bool {
    class >= FAR
}

/// The rings as a writer keeps them: by symbol.
#[derive(Debug)]
pub(crate) struct Recent {
    /// By rank: the value of `kept` of its column after the symbol was added.
    kept_at: Vec<u32>,
    /// By column: number of symbols added, plus what [`start`](Self::start) adds.
    kept: [u32; MOST_CLUSTERS],
}

impl Recent {
    pub(crate) fn new(ranks: usize) -> Self {
        Self { kept_at: vec![0; ranks], kept: [KEPT as u32; MOST_CLUSTERS] }
    }

    /// Empties the rings: all symbols move out of reach.
    pub(crate) fn start(&mut self) {
        self.kept.iter_mut().for_each(|kept| *kept += KEPT as u32);
    }

    /// Distance of a symbol in the ring of its column: 1 for the last one added.
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

/// The rings of one lane, as a reader keeps them.
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
    /// Empties the rings. Distances beyond their start, which no writer uses, give rank 0.
    pub(crate) fn clear(&mut self) {
        self.ranks.as_flattened_mut().fill(0);
        self.next.fill(0);
    }
}

/// Resolves references while a lane is decoded.
pub(crate) trait Resolver {
    /// Returns `named`, or the rank at `distance` if this `is_backref`. Adds it to the ring if it
    /// `is_kept`.
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
    /// Without branches: a processor could hardly predict them.
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

/// For codings without back-references.
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
