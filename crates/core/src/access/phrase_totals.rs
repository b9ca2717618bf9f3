//! Counts a phrase in a whole segment with the index, on rules instead of occurrences in the text.
//!
//! The index `occurrences` has the places of the phrase's rarest word, the *anchor*: symbols of the root
//! and of long rules. Matches inside such a symbol are counted once per symbol and multiplied by the
//! uses of its right-hand side. Matches across the ends of a symbol are looked for only where the words
//! at its ends are part of the phrase. An anchor at the end of a long rule may be part of matches that
//! cross the ends of that rule, so every use of such a rule is checked in the same way.

use super::occurrences::{Occurrences, Sieve};
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::TokenClass;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// How often a phrase of at least two words occurs in a segment; `anchor` is its rarest word. Matches
/// that continue in another segment are not counted. `uses` has the uses of all symbols.
pub(super) fn count(
    segment: &Segment,
    occurrences: &Occurrences,
    uses: &[u64],
    ids: &[u32],
    anchor: usize,
) -> u64 {
    let words = ids.iter().map(|&id| Sieve::of(id)).fold(Sieve::default(), Sieve::and);
    let counting = Counting { segment, occurrences, uses, ids, anchor, words };
    let mut known = FxHashMap::default();
    let row = occurrences.row(ids[anchor]);
    let mut total = 0u64;
    // A word that occurs several times in a symbol has several entries with the same place.
    for places in row.at.chunk_by(|a, b| a == b) {
        total = total.saturating_add(counting.at_place(places[0] as usize, &mut known));
    }
    let root = segment.grammar.root().len();
    if row.at.last().is_some_and(|&at| at as usize >= root) {
        let anchor = Sieve::of(ids[anchor]);
        let mut known = FxHashMap::default();
        for &at in occurrences.long(&(0..segment.grammar.symbols().len())) {
            let symbol = segment.grammar.symbols()[at as usize];
            if counting.sieve(symbol).may_have(anchor) {
                // Matches inside were counted at the places in its right-hand side.
                let crossing = counting.across_borders(at as usize, &mut known);
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

/// The end from which words are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    First,
    Last,
}

/// The ways in which a phrase can cross the ends of a symbol that contains its anchor: for each, the
/// words of the phrase that are in the symbol. The others must be around it.
type Crossing = Vec<Range<usize>>;

struct Counting<'a> {
    segment: &'a Segment,
    occurrences: &'a Occurrences,
    uses: &'a [u64],
    ids: &'a [u32],
    anchor: usize,
    /// All words of the phrase.
    words: Sieve,
}

impl Counting<'_> {
    /// How often the phrase occurs with its anchor in the symbol at a place, in all uses of the
    /// right-hand side that contains the place. `known` keeps, per symbol, the matches inside it and the
    /// ways to cross its ends.
    fn at_place(&self, at: usize, known: &mut FxHashMap<Symbol, (u64, Crossing)>) -> u64 {
        let symbol = self.segment.grammar.symbols()[at];
        let (inside, crossing) =
            known.entry(symbol).or_insert_with(|| (self.inside(symbol), self.crossing(symbol)));
        self.in_all_uses(at, *inside, crossing)
    }

    /// The same without the matches inside the symbol.
    fn across_borders(&self, at: usize, known: &mut FxHashMap<Symbol, Crossing>) -> u64 {
        let symbol = self.segment.grammar.symbols()[at];
        let crossing = known.entry(symbol).or_insert_with(|| self.crossing(symbol));
        self.in_all_uses(at, 0, crossing)
    }

    /// How often the phrase occurs at a place in all uses of the right-hand side that contains it, given
    /// the matches inside the symbol.
    fn in_all_uses(&self, at: usize, inside: u64, crossing: &Crossing) -> u64 {
        if inside == 0 && crossing.is_empty() {
            return 0;
        }
        let grammar = &self.segment.grammar;
        let starts = grammar.rule_starts();
        let rule = starts.partition_point(|&start| start as usize <= at) - 1;
        let mut count = inside;
        if !crossing.is_empty() {
            let section = if rule == 0 {
                let document = grammar.doc_starts().partition_point(|&start| start as usize <= at);
                self.segment.root_range(document - 1)
            } else {
                starts[rule] as usize..starts[rule + 1] as usize
            };
            let before = &grammar.symbols()[section.start..at];
            let after = &grammar.symbols()[at + 1..section.end];
            let found = crossing.iter().filter(|words| {
                self.has(&self.ids[words.end..], after, End::First)
                    && self.has(&self.ids[..words.start], before, End::Last)
            });
            count = count.saturating_add(found.count() as u64);
        }
        count.saturating_mul(self.uses[grammar.tokens() as usize + rule])
    }

    /// How often the phrase occurs inside a symbol that is looked through.
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

    /// The ways in which the phrase can cross the ends of a symbol that contains its anchor.
    fn crossing(&self, symbol: Symbol) -> Crossing {
        let most = self.ids.len() - 1;
        let first = end_words(self.segment, &[symbol], most, End::First);
        if first.len() < most {
            // These are all words of the symbol.
            return self.overlaps(&first, true, true).collect();
        }
        let last = end_words(self.segment, &[symbol], most, End::Last);
        let before = self.overlaps(&first, true, false);
        before.chain(self.overlaps(&last, false, true)).collect()
    }

    /// The ways in which the phrase can cross the start or the end of some words that contain its
    /// anchor.
    fn overlaps<'w>(
        &'w self,
        words: &'w [u32],
        before: bool,
        after: bool,
    ) -> impl Iterator<Item = Range<usize>> + 'w {
        (0..words.len()).filter_map(move |at| {
            // Assume that the word at this index is the anchor.
            let skipped = self.anchor.saturating_sub(at);
            let start = at - (self.anchor - skipped);
            let end = at + self.ids.len() - self.anchor;
            let crosses = before && at < self.anchor || after && end > words.len();
            let words = &words[start..end.min(words.len())];
            let range = skipped..skipped + words.len();
            (crosses && *words == self.ids[range.clone()]).then_some(range)
        })
    }

    /// Whether these are the first or the last words of some symbols.
    fn has(&self, words: &[u32], symbols: &[Symbol], end: End) -> bool {
        let mut left = words;
        if !left.is_empty() {
            each_word(self.segment, symbols, end, |word| {
                let next = match end {
                    End::First => left.split_first(),
                    End::Last => left.split_last(),
                };
                match next {
                    Some((&wanted, rest)) if wanted == word => left = rest,
                    _ => return false,
                }
                !left.is_empty()
            });
        }
        left.is_empty()
    }
}

/// Calls `take` with the words of some symbols, starting at an end, until it returns `false`.
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
            // A rule of separators only may be very long.
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
