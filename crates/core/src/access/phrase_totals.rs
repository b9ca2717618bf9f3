//! How often a phrase stands in a whole segment, counted on rules instead of places in the text.
//!
//! Places are those that `occurrences` has for the phrase's rarest word, the *anchor*: symbols of the
//! root and of long rules. What is inside such a symbol is counted once for each symbol and taken as
//! often as its right-hand side is used. What crosses the symbol's borders is looked for only where
//! the words at its ends are part of the phrase. An anchor at the end of a long rule may be part of
//! phrases that cross the borders of that: wherever such a rule stands, it is looked at in the same way.

use super::occurrences::{Occurrences, Sieve};
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::TokenClass;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How often a phrase of two words or more, of which `anchor` is the rarest, stands in a segment.
/// What goes on in another segment is left out.
pub(super) fn count(segment: &Segment, ids: &[u32], anchor: usize) -> u64 {
    let occurrences = segment.occurrences();
    let words = ids.iter().map(|&id| Sieve::of(id)).fold(Sieve::default(), Sieve::and);
    let counting = Counting { segment, occurrences, ids, anchor, words };
    let mut known: FxHashMap<Symbol, Known> = FxHashMap::default();
    let row = occurrences.row(ids[anchor]);
    let mut total = 0u64;
    // A word that stands in a symbol several times has its place several times.
    for places in row.at.chunk_by(|a, b| a == b) {
        total = total.saturating_add(counting.at_place(places[0] as usize, &mut known, true));
    }
    let root = segment.grammar.root().len();
    if row.at.last().is_some_and(|&at| at as usize >= root) {
        let anchor = Sieve::of(ids[anchor]);
        for &at in occurrences.long(&(0..segment.grammar.symbols().len())) {
            let symbol = segment.grammar.symbols()[at as usize];
            if counting.sieve(symbol).may_have(anchor) {
                // What is inside of it was counted at the places that it has.
                let crossing = counting.at_place(at as usize, &mut known, false);
                total = total.saturating_add(crossing);
            }
        }
    }
    total
}

/// The first or the last `most` words of some symbols, in the order of the text.
pub(super) fn end_words(segment: &Segment, symbols: &[Symbol], most: usize, end: End) -> Vec<u32> {
    let mut words = Vec::with_capacity(most);
    if most > 0 {
        each_word(segment, symbols, end, |word| {
            words.push(word);
            words.len() < most
        });
    }
    if end == End::Last {
        words.reverse();
    }
    words
}

/// From which end words are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// What is known of a symbol.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// How often the phrase stands in it.
    inside: u64,
    /// Whether a phrase with its anchor in it may cross its borders.
    is_open: bool,
}

/// The words of a symbol, as far as a phrase that crosses its borders can reach.
enum Reach {
    /// All of them: they are fewer than the phrase has.
    All(Vec<u32>),
    /// As many from either end as the phrase may have there.
    Ends(Vec<u32>, Vec<u32>),
}

struct Counting<'a> {
    segment: &'a Segment,
    occurrences: &'a Occurrences,
    ids: &'a [u32],
    anchor: usize,
    /// All words of the phrase.
    words: Sieve,
}

impl Counting<'_> {
    /// How often the phrase stands at a place, with its anchor in the symbol there, in all uses of
    /// the right-hand side that has the place: across the symbol's borders, and inside if that is
    /// wanted.
    fn at_place(&self, at: usize, known: &mut FxHashMap<Symbol, Known>, inside: bool) -> u64 {
        let grammar = &self.segment.grammar;
        let symbol = grammar.symbols()[at];
        let known = known.entry(symbol).or_insert_with(|| Known {
            inside: if inside { self.inside(symbol) } else { 0 },
            is_open: self.is_open(&self.reach(symbol)),
        });
        if known.inside == 0 && !known.is_open {
            return 0;
        }
        let starts = grammar.rule_starts();
        let rule = starts.partition_point(|&start| start as usize <= at) - 1;
        let mut count = known.inside;
        if known.is_open {
            let section = if rule == 0 {
                let document = grammar.doc_starts().partition_point(|&start| start as usize <= at);
                self.segment.root_range(document - 1)
            } else {
                starts[rule] as usize..starts[rule + 1] as usize
            };
            count = count.saturating_add(self.crossing(at, &section));
        }
        count.saturating_mul(self.segment.uses(grammar.tokens() + rule as Symbol))
    }

    /// How often the phrase stands in a symbol that is looked through.
    fn inside(&self, symbol: Symbol) -> u64 {
        if !self.sieve(symbol).may_have(self.words) {
            return 0;
        }
        let mut words = Vec::new();
        each_word(self.segment, &[symbol], End::First, |word| {
            words.push(word);
            true
        });
        words.windows(self.ids.len()).filter(|found| found == &self.ids).count() as u64
    }

    fn sieve(&self, symbol: Symbol) -> Sieve {
        match self.segment.grammar.as_rule(symbol) {
            Some(rule) => self.occurrences.sieve(rule),
            None => Sieve::of(symbol),
        }
    }

    fn reach(&self, symbol: Symbol) -> Reach {
        let most = self.ids.len() - 1;
        let first = end_words(self.segment, &[symbol], most, End::First);
        if first.len() < most {
            return Reach::All(first);
        }
        Reach::Ends(first, end_words(self.segment, &[symbol], most, End::Last))
    }

    fn is_open(&self, reach: &Reach) -> bool {
        match reach {
            Reach::All(words) => self.may_cross(words, true, true),
            Reach::Ends(first, last) => {
                self.may_cross(first, true, false) || self.may_cross(last, false, true)
            }
        }
    }

    /// Whether a phrase with its anchor among some words may cross the border before or after them.
    fn may_cross(&self, words: &[u32], before: bool, after: bool) -> bool {
        // Of each word that may be the anchor: where the phrase begins and ends, from the words'
        // begin, and the same of the phrase's words that are there.
        (0..words.len()).any(|at| {
            let skipped = self.anchor.saturating_sub(at);
            let start = at - (self.anchor - skipped);
            let end = words.len().min(at + self.ids.len() - self.anchor);
            let crosses = before && at < self.anchor
                || after && at + self.ids.len() - self.anchor > words.len();
            crosses && words[start..end] == self.ids[skipped..skipped + end - start]
        })
    }

    /// How often the phrase stands across the borders of the symbol at a place, with its anchor in
    /// that, within a section.
    fn crossing(&self, at: usize, section: &Range<usize>) -> u64 {
        let most = self.ids.len() - 1;
        let symbols = self.segment.grammar.symbols();
        let before = || end_words(self.segment, &symbols[section.start..at], most, End::Last);
        let after = || end_words(self.segment, &symbols[at + 1..section.end], most, End::First);
        match self.reach(symbols[at]) {
            Reach::All(words) => self.across(&before(), &words, &after()),
            Reach::Ends(first, last) => {
                self.across(&before(), &first, &[]) + self.across(&[], &last, &after())
            }
        }
    }

    /// How often the phrase stands in these words with its anchor in the middle, but not all of it.
    fn across(&self, before: &[u32], middle: &[u32], after: &[u32]) -> u64 {
        let words = [before, middle, after].concat();
        let middle = before.len()..before.len() + middle.len();
        let is_across = |start: usize| {
            middle.contains(&(start + self.anchor))
                && (start < middle.start || start + self.ids.len() > middle.end)
        };
        let found = words.windows(self.ids.len()).enumerate();
        found.filter(|(start, found)| found == &self.ids && is_across(*start)).count() as u64
    }
}

/// Calls `take` with the words of some symbols, from an end on, until it returns `false`.
fn each_word<'a>(
    segment: &'a Segment,
    mut symbols: &'a [Symbol],
    end: End,
    mut take: impl FnMut(u32) -> bool,
) {
    let (grammar, occurrences) = (&segment.grammar, segment.occurrences());
    let first = segment.dictionary().ids(TokenClass::Separator).end;
    let mut pending = Vec::new();
    loop {
        let next = match end {
            End::First => symbols.split_first(),
            End::Last => symbols.split_last(),
        };
        let Some((&symbol, rest)) = next else {
            match pending.pop() {
                None => return,
                Some(rest) => symbols = rest,
            }
            continue;
        };
        symbols = rest;
        match grammar.as_rule(symbol) {
            // Separators alone may be very many.
            Some(rule) if occurrences.sieve(rule) == Sieve::default() => {}
            Some(rule) => {
                pending.push(rest);
                symbols = grammar.rule(rule);
            }
            None if symbol < first => {}
            None if take(symbol) => {}
            None => return,
        }
    }
}
