//! The items of a symbol for twins, as in `shared/items.wgsl`.

use super::packed_symbols::Packed;
use std::ops::Range;

/// The symbol's child contains sequences.
pub(super) const HAS_SEQUENCES: u32 = 1 << 31;

/// The symbols of nodes.
pub(super) struct Symbols<'a> {
    pub(super) symbols: Packed<'a>,
    pub(super) tokens: u32,
    pub(super) nodes: u32,
    pub(super) items: u32,
    pub(super) has_spans: bool,
    pub(super) notes: &'a [u32],
    pub(super) names: &'a [u32],
}

impl Symbols<'_> {
    /// The places of the items of the symbol at a position, and the child whose items must be added.
    pub(super) fn content(&self, at: u32) -> (Range<u32>, Option<u32>) {
        let symbol = self.symbols.symbol_at(at);
        let child = symbol.checked_sub(self.tokens).filter(|&child| child < self.nodes);
        if !self.has_spans {
            return (symbol..symbol + u32::from(symbol < self.tokens), child);
        }
        let [first, end] = [at, at + 1].map(|at| self.notes[at as usize]);
        let places = first & !HAS_SEQUENCES..end & !HAS_SEQUENCES;
        (places, child.filter(|_| first & HAS_SEQUENCES != 0))
    }

    /// The items at places, without those that are not counted.
    pub(super) fn items(&self, places: Range<u32>) -> impl Iterator<Item = u32> {
        let item = |place: u32| match self.has_spans {
            false => place,
            true => self.names[place as usize],
        };
        places.map(item).filter(|&item| item < self.items)
    }
}
