//! Replaces all chosen pairs of a chunk in one pass.

use super::count::{Pair, mix, pair_of};
use super::filter::Filter;
use super::scatter::Partitions;
use super::{BREAK, Symbol};

/// The pairs chosen in a round and the rules made of them. A lower rule number means a more frequent
/// pair.
pub(super) struct HotPairs {
    slots: Vec<(Pair, Symbol)>,
    /// Small enough to stay in the cache, which the slots may not.
    filter: Filter,
    first: Symbol,
}

/// Two adjacent breaks, for which there is no rule.
const EMPTY: Pair = Pair::MAX;

/// No rule for this pair.
const COLD: Symbol = Symbol::MAX;

impl HotPairs {
    /// `hot[k]` becomes symbol `first + k`.
    pub(super) fn new(hot: &[(Pair, u32)], first: Symbol) -> Self {
        let filter = Filter::new(hot.iter().map(|&(pair, _)| pair));
        let slots = vec![(EMPTY, COLD); (hot.len() * 2).next_power_of_two()];
        let mut map = Self { slots, filter, first };
        for (rule, &(pair, _)) in (first..).zip(hot) {
            let at = map.find(pair);
            map.slots[at] = (pair, rule);
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

    fn rule(&self, pair: Pair) -> Symbol {
        let slot = self.slots[self.find(pair)];
        if slot.0 == pair { slot.1 } else { COLD }
    }
}

/// Replaces the chosen pairs in `chunk` and adds to `made` how often each was used. New and broken pairs
/// are reported to `noted` if given, except for the chosen pairs themselves.
///
/// In a run of overlapping candidates the best one wins, then the best of the remaining ones, and so on:
/// exactly what replacing one pair after the other would do. That needs no queue. Moving right while
/// candidates get better finds one that is better than both neighbours. From there, every second one back
/// to the beginning of the slope is chosen too.
pub(super) fn replace_pairs(
    chunk: &mut Vec<Symbol>,
    hot: &HotPairs,
    made: &mut [u32],
    noted: Option<&mut Partitions<'_>>,
) {
    match noted {
        Some(partitions) => Replacing::new(chunk, hot, made, partitions).run(),
        None => Replacing::new(chunk, hot, made, ()).run(),
    }
}

/// Receives the changes of a chunk.
trait Listener {
    /// A pair gained an occurrence.
    fn came(&mut self, pair: Pair);
    /// A pair lost an occurrence.
    fn went(&mut self, pair: Pair);
}

impl Listener for () {
    fn came(&mut self, _: Pair) {}
    fn went(&mut self, _: Pair) {}
}

impl Listener for &mut Partitions<'_> {
    #[inline(always)]
    fn came(&mut self, pair: Pair) {
        Partitions::came(self, pair);
    }

    #[inline(always)]
    fn went(&mut self, pair: Pair) {
        Partitions::went(self, pair);
    }
}

/// Positions examined together.
const BLOCK: usize = 1 << 12;

/// The position of a chosen pair, and its rule.
#[derive(Clone, Copy)]
struct Spot {
    at: usize,
    rule: Symbol,
}

/// A chunk while its pairs are replaced: `chunk[..write]` is done, `chunk[read..]` is to do.
struct Replacing<'a, L> {
    chunk: &'a mut Vec<Symbol>,
    hot: &'a HotPairs,
    made: &'a mut [u32],
    listener: L,
    read: usize,
    write: usize,
    /// The last symbol written.
    last: Symbol,
    /// Whether it and the one before are equal and were counted as a pair.
    overlap: bool,
}

impl<'a, L: Listener> Replacing<'a, L> {
    fn new(
        chunk: &'a mut Vec<Symbol>,
        hot: &'a HotPairs,
        made: &'a mut [u32],
        listener: L,
    ) -> Self {
        Self { chunk, hot, made, listener, read: 0, write: 0, last: BREAK, overlap: false }
    }

    fn run(mut self) {
        let pairs = self.chunk.len().saturating_sub(1);
        let mut spots = Vec::new();
        for start in (0..pairs).step_by(BLOCK) {
            let end = pairs.min(start + BLOCK);
            self.look(start, end, &mut spots);
            // Candidates that overlap the next block wait for it.
            let waiting = if end < pairs { ending_at(&spots, end) } else { 0 };
            let ready = spots.len() - waiting;
            self.replace(&spots[..ready]);
            spots.drain(..ready);
        }
        self.copy_to(self.chunk.len());
        self.chunk.truncate(self.write);
    }

    /// Appends the candidates at positions `start..end`. Most positions have none. The test has no
    /// branches, because they would be hard to predict.
    fn look(&self, start: usize, end: usize, spots: &mut Vec<Spot>) {
        let symbols = &self.chunk[start..=end];
        let mut found = [0u16; BLOCK];
        let mut count = 0;
        for (at, pair) in symbols.windows(2).enumerate() {
            found[count % BLOCK] = at as u16;
            count += usize::from(self.hot.filter.may_have(pair_of(pair[0], pair[1])));
        }
        for &at in &found[..count] {
            let at = usize::from(at);
            let rule = self.hot.rule(pair_of(symbols[at], symbols[at + 1]));
            if rule != COLD {
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
            let down = |pair: &[Spot]| pair[1].at == pair[0].at + 1 && pair[1].rule < pair[0].rule;
            let slope = 1 + spots[next..].windows(2).take_while(|pair| down(pair)).count();
            self.replace_slope(&spots[next..next + slope]);
            next += slope;
        }
    }

    /// The last candidate of the slope wins; an odd one at the beginning stays a plain symbol. The first
    /// and the last symbol lose their outer neighbours.
    fn replace_slope(&mut self, slope: &[Spot]) {
        let (first, last) = (slope[0].at, slope[0].at + slope.len());
        let start = 1 - slope.len() % 2;
        if start == 0 && first > self.read {
            self.part_left(first);
        }
        self.part_right(last);
        self.copy_to(first + start);
        for spot in slope[start..].iter().step_by(2) {
            self.put(spot.rule);
            self.made[(spot.rule - self.hot.first) as usize] += 1;
        }
        self.read = last + 1;
    }

    /// Notes that the symbol at `at` loses its left neighbour.
    fn part_left(&mut self, at: usize) {
        let (left, right) = (self.chunk[at - 1], self.chunk[at]);
        if left == right {
            let run = self.chunk[self.read..=at].iter().rev();
            self.leave_run(right, run.take_while(|&&symbol| symbol == right).count());
        } else if left != BREAK {
            self.listener.went(pair_of(left, right));
        }
    }

    /// Notes that the symbol at `at` loses its right neighbour.
    fn part_right(&mut self, at: usize) {
        let left = self.chunk[at];
        match self.chunk.get(at + 1) {
            None | Some(&BREAK) => {}
            // A run of a chosen pair. The pair is gone, and the run must not be scanned at each position.
            Some(&right) if right == left && self.chunk[at - 1] == left => {}
            Some(&right) if right == left => {
                let run = self.chunk[at..].iter();
                self.leave_run(left, run.take_while(|&&symbol| symbol == left).count());
            }
            Some(&right) => self.listener.went(pair_of(left, right)),
        }
    }

    /// Notes that a symbol leaves a run of this length. Pairs in a run do not overlap, so an odd symbol
    /// was in no pair.
    fn leave_run(&mut self, symbol: Symbol, run: usize) {
        if run.is_multiple_of(2) {
            self.listener.went(pair_of(symbol, symbol));
        }
    }

    fn put(&mut self, symbol: Symbol) {
        self.chunk[self.write] = symbol;
        self.write += 1;
        let is_equal = symbol == self.last;
        let counts = self.last != BREAK && !(is_equal && self.overlap);
        if counts {
            self.listener.came(pair_of(self.last, symbol));
        }
        self.overlap = counts && is_equal;
        self.last = symbol;
    }

    /// Copies everything up to position `end`. Neighbours stay the same, except that the first symbol may
    /// have a new one before it.
    fn copy_to(&mut self, end: usize) {
        if self.read == end {
            return;
        }
        let next = self.chunk[self.read];
        if self.last != BREAK && self.last >= self.hot.first && next != BREAK {
            self.listener.came(pair_of(self.last, next));
        }
        self.last = self.chunk[end - 1];
        let write_end = self.write + (end - self.read);
        self.chunk.copy_within(self.read..end, self.write);
        (self.read, self.write) = (end, write_end);
    }
}

/// How many of the last spots are adjacent, up to position `end`.
fn ending_at(spots: &[Spot], end: usize) -> usize {
    spots.iter().rev().zip(1..).take_while(|(spot, back)| spot.at + back == end).count()
}
