//! What a symbol stands for, as in `shared/items.wgsl`: for twins.

use std::ops::Range;

/// The `span_base` of words.
pub(crate) const NO_SPANS: u32 = u32::MAX;

/// A symbol's row has sequences of its own.
pub(super) const HAS_SEQUENCES: u32 = 1 << 31;

/// What is known of symbols.
pub(super) struct Symbols<'a> {
    pub(super) tokens: u32,
    pub(super) rows: u32,
    pub(super) items: u32,
    pub(super) span_base: u32,
    pub(super) notes: &'a [u32],
    pub(super) names: &'a [u32],
}

impl Symbols<'_> {
    /// The items of the symbol at a place among all, and the row whose items come on top.
    pub(super) fn content(&self, at: u32, symbol: u32) -> (impl Iterator<Item = u32>, Option<u32>) {
        let child = symbol.checked_sub(self.tokens).filter(|&child| child < self.rows);
        let (places, child): (Range<u32>, _) = if self.span_base == NO_SPANS {
            (symbol..symbol + u32::from(symbol < self.tokens), child)
        } else {
            let note = |at: u32| self.notes[(self.span_base + at) as usize];
            let places = note(at) & !HAS_SEQUENCES..note(at + 1) & !HAS_SEQUENCES;
            (places, child.filter(|_| note(at) & HAS_SEQUENCES != 0))
        };
        let item = |place: u32| match self.span_base {
            NO_SPANS => place,
            _ => self.names[place as usize],
        };
        (places.map(item).filter(|&item| item < self.items), child)
    }
}
