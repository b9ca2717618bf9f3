//! Replacing all chosen pairs of a chunk in one pass.

use super::candidates::Candidates;
use super::count::{Pair, Partitions, mix, pair_of};
use super::{BREAK, Symbol};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The pairs chosen in a round and the rules made of them; a lower rule number is a more frequent
/// pair.
pub(super) struct HotPairs {
    slots: Vec<(Pair, Symbol)>,
    /// One bit for each hash: clear for most pairs that were not chosen, and small enough to stay in
    /// cache where the slots do not.
    seen: Vec<u64>,
    /// How far a hash is shifted to be a place in `seen`.
    seen_shift: u32,
    first: Symbol,
}

/// Bits of `seen` for each slot.
const SEEN_BITS: usize = 8;

/// Two breaks side by side, for which there is no rule.
const EMPTY: Pair = Pair::MAX;

/// No rule for this pair: loses against every rule.
const COLD: Symbol = Symbol::MAX;

/// The hash for `seen`. One product is enough where a wrong guess costs little.
#[inline(always)]
fn quick_mix(pair: Pair) -> u64 {
    pair.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl HotPairs {
    /// `hot[k]` becomes symbol `first + k`.
    pub(super) fn new(hot: &[(Pair, u32)], first: Symbol) -> Self {
        let slots = (hot.len() * 2).next_power_of_two();
        let seen = (slots * SEEN_BITS).max(64);
        let mut map = Self {
            slots: vec![(EMPTY, COLD); slots],
            seen: vec![0; seen / 64],
            seen_shift: 64 - seen.ilog2(),
            first,
        };
        for (rule, &(pair, _)) in (first..).zip(hot) {
            let at = map.find(pair);
            map.slots[at] = (pair, rule);
            let bit = quick_mix(pair) >> map.seen_shift;
            map.seen[bit as usize / 64] |= 1 << (bit % 64);
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

    /// Whether a pair may have been chosen.
    #[inline(always)]
    fn may_have(&self, pair: Pair) -> bool {
        let bit = quick_mix(pair) >> self.seen_shift;
        self.seen[bit as usize / 64] >> (bit % 64) & 1 != 0
    }

    fn rule(&self, pair: Pair) -> Symbol {
        let slot = self.slots[self.find(pair)];
        if slot.0 == pair { slot.1 } else { COLD }
    }
}

/// Where what changes is noted.
pub(super) struct Noted<'a, 'p> {
    /// They lose pairs that are broken up.
    pub(super) candidates: &'a Candidates,
    /// They get pairs with a new symbol, and all pairs of equal symbols.
    pub(super) partitions: &'a mut Partitions<'p>,
}

/// Replaces the chosen pairs in `chunk` and adds up in `made` how often each was used. What that
/// changes is `noted` if wanted.
///
/// Within a stretch of overlapping candidates the best wins, then the best of those it leaves, and
/// so on: exactly what replacing one pair after the other would do. That needs no queue. Going
/// right while candidates get better finds a candidate that beats both neighbours; from there
/// every second one back to the beginning of the slope is chosen too.
pub(super) fn replace_pairs(
    chunk: &mut Vec<Symbol>,
    hot: &HotPairs,
    made: &[AtomicU32],
    noted: Option<Noted<'_, '_>>,
) {
    match noted {
        Some(noted) => {
            let listener = Noting { noted, first: hot.first, overlap: false };
            Replacing::new(chunk, hot, made, listener).run();
        }
        None => Replacing::new(chunk, hot, made, ()).run(),
    }
}

/// Hears of what becomes of a chunk.
trait Listener {
    /// Whether it hears at all.
    const HEARS: bool;
    /// This pair was broken up.
    fn gone(&mut self, left: Symbol, right: Symbol);
    /// These are neighbours now.
    fn neighbours(&mut self, left: Symbol, right: Symbol);
}

impl Listener for () {
    const HEARS: bool = false;
    fn gone(&mut self, _: Symbol, _: Symbol) {}
    fn neighbours(&mut self, _: Symbol, _: Symbol) {}
}

/// Notes what counts have to know.
struct Noting<'a, 'p> {
    noted: Noted<'a, 'p>,
    /// The first new symbol.
    first: Symbol,
    /// Whether the pair before is one of equal symbols and was counted.
    overlap: bool,
}

impl Listener for Noting<'_, '_> {
    const HEARS: bool = true;

    fn gone(&mut self, left: Symbol, right: Symbol) {
        if left != BREAK && right != BREAK && left != right {
            self.noted.candidates.lose(pair_of(left, right));
        }
    }

    #[inline(always)]
    fn neighbours(&mut self, left: Symbol, right: Symbol) {
        let is_equal = left == right;
        let is_fresh = is_equal || left.max(right) >= self.first;
        if !is_fresh || left == BREAK || right == BREAK || is_equal && self.overlap {
            self.overlap = false;
        } else {
            self.overlap = is_equal;
            self.noted.partitions.push(pair_of(left, right));
        }
    }
}

/// Places looked at together.
const BLOCK: usize = 1 << 12;

/// A place whose pair has something to it: the rule for it, or [`COLD`] for a pair of equal symbols.
#[derive(Clone, Copy)]
struct Spot {
    at: usize,
    rule: Symbol,
}

/// A chunk while its pairs are replaced: `chunk[..write]` is done, `chunk[read..]` is to do.
struct Replacing<'a, L> {
    chunk: &'a mut Vec<Symbol>,
    hot: &'a HotPairs,
    made: &'a [AtomicU32],
    listener: L,
    read: usize,
    write: usize,
    /// The last symbol written.
    last: Symbol,
}

impl<'a, L: Listener> Replacing<'a, L> {
    fn new(
        chunk: &'a mut Vec<Symbol>,
        hot: &'a HotPairs,
        made: &'a [AtomicU32],
        listener: L,
    ) -> Self {
        Self { chunk, hot, made, listener, read: 0, write: 0, last: BREAK }
    }

    fn run(mut self) {
        let pairs = self.chunk.len().saturating_sub(1);
        let mut spots = Vec::new();
        for start in (0..pairs).step_by(BLOCK) {
            let end = pairs.min(start + BLOCK);
            self.look(start, end, &mut spots);
            // What overlaps the next block waits for it.
            let waiting = if end < pairs { ending_at(&spots, end) } else { 0 };
            let ready = spots.len() - waiting;
            self.replace(&spots[..ready]);
            spots.drain(..ready);
        }
        self.copy_to(self.chunk.len());
        self.chunk.truncate(self.write);
    }

    /// Appends what is found at places `start..end`. Most places have nothing; finding that out
    /// does without branches, as they could hardly be foreseen.
    fn look(&self, start: usize, end: usize, spots: &mut Vec<Spot>) {
        let symbols = &self.chunk[start..=end];
        let mut found = [0u16; BLOCK];
        let mut count = 0;
        for (at, pair) in symbols.windows(2).enumerate() {
            found[count % BLOCK] = at as u16;
            let is_equal = L::HEARS && pair[0] == pair[1];
            count += usize::from(self.hot.may_have(pair_of(pair[0], pair[1])) | is_equal);
        }
        for &at in &found[..count] {
            let at = usize::from(at);
            let (left, right) = (symbols[at], symbols[at + 1]);
            let rule = self.hot.rule(pair_of(left, right));
            if rule != COLD || left == right {
                spots.push(Spot { at: start + at, rule });
            }
        }
    }

    fn replace(&mut self, spots: &[Spot]) {
        let mut next = 0;
        while let Some(spot) = spots.get(next) {
            if spot.at < self.read {
                // Its left symbol was replaced.
                next += 1;
                continue;
            }
            if spot.rule == COLD {
                self.copy_to(spot.at + 1);
                next += 1;
                continue;
            }
            let down = |pair: &[Spot]| pair[1].at == pair[0].at + 1 && pair[1].rule < pair[0].rule;
            let slope = 1 + spots[next..].windows(2).take_while(|pair| down(pair)).count();
            self.replace_slope(&spots[next..next + slope]);
            next += slope;
        }
    }

    /// The last of the slope wins; an odd one at the beginning stays a plain symbol. What the first
    /// and the last symbol were neighbours of, they are no more.
    fn replace_slope(&mut self, slope: &[Spot]) {
        let (first, last) = (slope[0].at, slope[0].at + slope.len());
        let start = 1 - slope.len() % 2;
        // Up to `read` symbols were replaced, or a pair of equal ones was copied, which is counted
        // anew in any case.
        if start == 0 && first > self.read {
            self.listener.gone(self.chunk[first - 1], self.chunk[first]);
        }
        if let Some(&next) = self.chunk.get(last + 1) {
            self.listener.gone(self.chunk[last], next);
        }
        self.copy_to(first + start);
        for spot in slope[start..].iter().step_by(2) {
            self.put(spot.rule);
            self.made[(spot.rule - self.hot.first) as usize].fetch_add(1, Relaxed);
        }
        self.read = last + 1;
    }

    fn put(&mut self, symbol: Symbol) {
        self.chunk[self.write] = symbol;
        self.write += 1;
        self.listener.neighbours(self.last, symbol);
        self.last = symbol;
    }

    /// Copies all up to place `end`. Neighbours in it are old and unequal, but for the first, which
    /// may be new to the one before.
    fn copy_to(&mut self, end: usize) {
        if self.read == end {
            return;
        }
        self.listener.neighbours(self.last, self.chunk[self.read]);
        if end - self.read > 1 {
            self.listener.neighbours(self.chunk[end - 2], self.chunk[end - 1]);
        }
        self.last = self.chunk[end - 1];
        let write_end = self.write + (end - self.read);
        self.chunk.copy_within(self.read..end, self.write);
        (self.read, self.write) = (end, write_end);
    }
}

/// How many of the last spots stand side by side, up to place `end`.
fn ending_at(spots: &[Spot], end: usize) -> usize {
    spots.iter().rev().zip(1..).take_while(|(spot, back)| spot.at + back == end).count()
}
