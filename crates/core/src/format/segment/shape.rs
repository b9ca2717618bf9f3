//! What all codings share while a segment is decoded: the sizes in its header and the parts of the
//! grammar.

use super::numbering::ranks::Ranks;
use super::root_sink::{RootAs, Sink};
use crate::format::bytes::Malformed;
use crate::grammar::Symbol;

/// Sizes from the header, and how to decode the root.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) tokens: u32,
    /// Number of rules without the root.
    pub(crate) rules: usize,
    pub(crate) root_len: usize,
    pub(crate) root_as: RootAs,
    pub(crate) most_symbols: u64,
}

impl Shape {
    /// Number of root symbols that are stored.
    pub(crate) fn root_room(&self) -> usize {
        match self.root_as {
            RootAs::Layout => self.root_len,
            RootAs::Tally | RootAs::Apart => 0,
        }
    }

    /// Number of tokens and rules, the root included.
    pub(crate) fn symbols(&self) -> usize {
        self.tokens as usize + self.rules + 1
    }

    /// Where each rule starts, from the lengths of all rules but the root, each minus two.
    pub(crate) fn rule_starts(
        &self,
        lengths: impl Iterator<Item = Result<u64, Malformed>>,
    ) -> Result<Vec<u32>, Malformed> {
        let room = self.root_room() as u64;
        let most = self.most_symbols - (self.root_len as u64 - room);
        let mut starts = Vec::with_capacity(self.rules + 2);
        starts.extend([0, room as u32]);
        let mut end = room;
        for length in lengths {
            end = end.saturating_add(length?).saturating_add(2);
            if end > most {
                return Err(Malformed::at(0, format!("over {} symbols", self.most_symbols)));
            }
            starts.push(end as u32);
        }
        Ok(starts)
    }

    /// The sink of the root. `room` has [`root_room`](Self::root_room) symbols.
    pub(crate) fn root_sink<'a>(&self, ranks: &'a Ranks, room: &'a mut [u32]) -> Sink<'a> {
        match self.root_as {
            RootAs::Tally => Sink::tally(&ranks.symbol_of),
            RootAs::Layout | RootAs::Apart => Sink::layout(&ranks.symbol_of, room),
        }
    }
}

/// The parts of a decoded grammar.
pub(crate) struct Parts {
    pub(crate) rule_starts: Vec<u32>,
    pub(crate) symbols: Vec<u32>,
    pub(crate) root_uses: Vec<u32>,
}

/// Gives symbols the numbers that they have in a larger dictionary.
#[derive(Clone, Copy)]
pub(super) struct LaterNumbers<'a> {
    /// The id of each token of the smaller one.
    ids: &'a [u32],
    /// How many more tokens there are.
    more: u32,
}

impl<'a> LaterNumbers<'a> {
    /// From a dictionary of which `ids` are the ids in one of `tokens` tokens.
    pub(super) fn new(ids: &'a [u32], tokens: usize) -> Self {
        Self { ids, more: tokens as u32 - ids.len() as u32 }
    }

    /// How many more tokens there are.
    pub(super) fn more(self) -> usize {
        self.more as usize
    }

    pub(super) fn of(self, symbol: Symbol) -> Symbol {
        self.ids.get(symbol as usize).copied().unwrap_or_else(|| symbol + self.more)
    }

    pub(super) fn apply(self, symbols: &mut [Symbol]) {
        symbols.iter_mut().for_each(|symbol| *symbol = self.of(*symbol));
    }
}
