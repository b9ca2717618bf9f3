//! Replacing all chosen pairs of a chunk in one pass.

use super::count::{Pair, mix, pair_of};
use super::{BREAK, Symbol};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The pairs chosen in a round and the rules made of them; a lower rule number is a more frequent
/// pair.
pub(super) struct HotPairs {
    slots: Vec<(Pair, Symbol)>,
    /// One bit for each hash: clear for most pairs that were not chosen, and small enough to stay in
    /// cache where the slots do not.
    seen: Vec<u64>,
    /// Per symbol: bit 0, it is the left of a chosen pair; bit 1, the right. Saves most look-ups.
    sides: Vec<u8>,
    first: Symbol,
}

/// Bits of `seen` for each slot.
const SEEN_BITS: usize = 8;

const LEFT: u8 = 1;
const RIGHT: u8 = 2;
const EMPTY: Pair = Pair::MAX;

/// No rule for this pair: loses against every rule.
const COLD: Symbol = Symbol::MAX;

impl HotPairs {
    /// `hot[k]` becomes symbol `first + k`; `symbols` bounds the symbols in use so far.
    pub(super) fn new(hot: &[(Pair, u32)], first: Symbol, symbols: usize) -> Self {
        let slots = (hot.len() * 2).next_power_of_two();
        let mut map = Self {
            slots: vec![(EMPTY, 0); slots],
            seen: vec![0; (slots * SEEN_BITS).div_ceil(64).next_power_of_two()],
            sides: vec![0; symbols],
            first,
        };
        for (rule, &(pair, _)) in (first..).zip(hot) {
            let at = map.find(pair);
            map.slots[at] = (pair, rule);
            let (word, bit) = map.seen_at(mix(pair));
            map.seen[word] |= bit;
            map.sides[(pair >> 32) as usize] |= LEFT;
            map.sides[pair as u32 as usize] |= RIGHT;
        }
        map
    }

    fn find(&self, pair: Pair) -> usize {
        let mask = self.slots.len() - 1;
        let mut at = mix(pair) as usize & mask;
        while self.slots[at].0 != pair && self.slots[at].0 != EMPTY {
            at = (at + 1) & mask;
        }
        at
    }

    /// Where a hash has its bit. The upper half of the hash is not used for the slot.
    fn seen_at(&self, hash: u64) -> (usize, u64) {
        let bit = (hash >> 32) as usize & (self.seen.len() * 64 - 1);
        (bit / 64, 1 << (bit % 64))
    }

    fn rule(&self, pair: Pair) -> Symbol {
        let (word, bit) = self.seen_at(mix(pair));
        if self.seen[word] & bit == 0 {
            return COLD;
        }
        let slot = self.slots[self.find(pair)];
        if slot.0 == pair { slot.1 } else { COLD }
    }

    fn side(&self, symbol: Symbol) -> u8 {
        if symbol == BREAK { 0 } else { self.sides[symbol as usize] }
    }
}

/// Replaces the chosen pairs in `chunk` and adds up in `made` how often each was used.
///
/// Within a stretch of overlapping candidates the best wins, then the best of those it leaves, and
/// so on: exactly what replacing one pair after the other would do. That needs no queue. Going
/// right while candidates get better finds a candidate that beats both neighbours; from there
/// every second one back to the beginning of the slope is chosen too.
pub(super) fn replace_pairs(chunk: &mut Vec<Symbol>, hot: &HotPairs, made: &[AtomicU32]) {
    let len = chunk.len();
    let (mut read, mut write) = (0, 0);
    let mut slope: Vec<Symbol> = Vec::new();
    let mut side = chunk.first().map_or(0, |&symbol| hot.side(symbol));
    while read < len {
        // Copy what is no candidate.
        let right_side = chunk.get(read + 1).map_or(0, |&symbol| hot.side(symbol));
        let mut candidate = candidate_at(chunk, read, side, right_side, hot);
        if candidate == COLD {
            chunk[write] = chunk[read];
            write += 1;
            read += 1;
            side = right_side;
            continue;
        }
        // Go down the slope: `slope[k]` is the candidate at `read + k`.
        slope.clear();
        let mut at = read;
        let mut at_side = right_side;
        loop {
            slope.push(candidate);
            at += 1;
            let next_side = chunk.get(at + 1).map_or(0, |&symbol| hot.side(symbol));
            let next = candidate_at(chunk, at, at_side, next_side, hot);
            at_side = next_side;
            if next >= candidate {
                break;
            }
            candidate = next;
        }
        // The last of the slope wins; an odd one at the beginning stays a plain symbol.
        if slope.len().is_multiple_of(2) {
            chunk[write] = chunk[read];
            write += 1;
        }
        let start = 1 - slope.len() % 2;
        for &rule in slope[start..].iter().step_by(2) {
            chunk[write] = rule;
            write += 1;
            made[(rule - hot.first) as usize].fetch_add(1, Relaxed);
        }
        read += slope.len() + 1;
        side = chunk.get(read).map_or(0, |&symbol| hot.side(symbol));
    }
    chunk.truncate(write);
}

#[inline]
fn candidate_at(chunk: &[Symbol], at: usize, left: u8, right: u8, hot: &HotPairs) -> Symbol {
    if left & LEFT != 0 && right & RIGHT != 0 && at + 1 < chunk.len() {
        hot.rule(pair_of(chunk[at], chunk[at + 1]))
    } else {
        COLD
    }
}
