//! The paper's word2rule and rule2location as one structure: where each word and each rule stands.
//!
//! Of every word and rule it has the rules whose right-hand side holds it (each once) and its places
//! in the root (rising), both as compressed sparse rows. Going up from a word by the first and
//! ending in the second gives all places of the root below which the word stands, without passing
//! through the text. The paper's rule2location lists every place in the text at which a rule stands;
//! that is as long as the text of a repetitive corpus, ours is never longer than the grammar.

use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Occurrences {
    in_rules: Rows,
    in_root: Rows,
    /// Of every rule, the first and the last place of the root below which it stands: most rules
    /// are rare, so this alone tells that most of them are not in a given document.
    spans: Vec<(u32, u32)>,
    /// Of every rule, which words may be below it.
    sieves: Vec<Sieve>,
}

/// A set of words, somewhat too large: two bits of 64 for each (a Bloom filter).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sieve(u64);

impl Sieve {
    pub(super) fn of(word: u32) -> Self {
        let hash = u64::from(word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52;
        Self(1 << (hash & 63) | 1 << (hash >> 6))
    }

    /// Whether all of another set may be in this one.
    #[inline]
    pub(super) fn may_have(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Lists of numbers, one after the other.
#[derive(Debug)]
struct Rows {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Rows {
    fn row(&self, of: Symbol) -> &[u32] {
        &self.items[self.starts[of as usize] as usize..self.starts[of as usize + 1] as usize]
    }

    /// Two phases: `each` is run once to count the items of each row, and once to place them.
    fn build(rows: usize, mut each: impl FnMut(&mut dyn FnMut(Symbol, u32))) -> Self {
        let mut starts = vec![0u32; rows + 1];
        each(&mut |row, _| starts[row as usize] += 1);
        let mut total = 0u32;
        for start in &mut starts {
            total += std::mem::replace(start, total);
        }
        let mut items = vec![0u32; total as usize];
        // Each start moves to its row's end while the row is filled; then all move back by one.
        each(&mut |row, item| {
            let place = &mut starts[row as usize];
            items[*place as usize] = item;
            *place += 1;
        });
        starts.copy_within(..rows, 1);
        starts[0] = 0;
        Self { starts, items }
    }
}

impl Occurrences {
    pub(super) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let tokens = grammar.tokens() as usize;
        let symbols = tokens + grammar.rule_count();
        // Nobody searches for separators, and they are the most frequent tokens.
        let first = dictionary.ids(TokenClass::Separator).end;
        let (in_rules, in_root) = rayon::join(
            || {
                Rows::build(symbols, |place| {
                    // The same symbol may stand several times in one rule: it is listed once.
                    let mut listed = vec![0u32; symbols];
                    for rule in 1..grammar.rule_count() {
                        for &symbol in grammar.rule(rule).iter().filter(|&&symbol| symbol >= first)
                        {
                            let last = std::mem::replace(&mut listed[symbol as usize], rule as u32);
                            if last != rule as u32 {
                                place(symbol, rule as u32);
                            }
                        }
                    }
                })
            },
            || {
                Rows::build(symbols, |place| {
                    for (at, &symbol) in grammar.root().iter().enumerate() {
                        if symbol >= first {
                            place(symbol, at as u32);
                        }
                    }
                })
            },
        );
        let mut spans = vec![(u32::MAX, 0u32); grammar.rule_count()];
        for rule in 1..grammar.rule_count() {
            let places = in_root.row((tokens + rule) as u32);
            if let (Some(&from), Some(&to)) = (places.first(), places.last()) {
                spans[rule] = (spans[rule].0.min(from), spans[rule].1.max(to));
            }
            // Parents come first, so this span is complete.
            let (from, to) = spans[rule];
            for child in grammar.rule(rule).iter().filter_map(|&symbol| grammar.as_rule(symbol)) {
                spans[child] = (spans[child].0.min(from), spans[child].1.max(to));
            }
        }
        let mut sieves = vec![Sieve::default(); grammar.rule_count()];
        for rule in (1..grammar.rule_count()).rev() {
            // Children come last, so theirs are complete.
            let below = grammar.rule(rule).iter().map(|&symbol| match grammar.as_rule(symbol) {
                Some(child) => sieves[child].0,
                None if symbol >= first => Sieve::of(symbol).0,
                None => 0,
            });
            sieves[rule] = Sieve(below.fold(0, |all, one| all | one));
        }
        Self { in_rules, in_root, spans, sieves }
    }

    /// Which words may be below a rule.
    #[inline]
    pub(super) fn sieve(&self, rule: usize) -> Sieve {
        self.sieves[rule]
    }

    /// The rules that a symbol stands in.
    pub(super) fn parents(&self, symbol: Symbol) -> &[u32] {
        self.in_rules.row(symbol)
    }

    /// The places of a symbol in a range of the root.
    pub(super) fn in_root(&self, symbol: Symbol, range: &Range<usize>) -> &[u32] {
        let places = self.in_root.row(symbol);
        let start = places.partition_point(|&at| (at as usize) < range.start);
        let len = places[start..].partition_point(|&at| (at as usize) < range.end);
        &places[start..start + len]
    }

    /// Whether a rule may stand below a range of the root.
    pub(super) fn may_be_in(&self, rule: usize, range: &Range<usize>) -> bool {
        let (from, to) = self.spans[rule];
        (from as usize) < range.end && to as usize >= range.start
    }
}
