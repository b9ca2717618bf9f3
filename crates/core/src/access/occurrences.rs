//! An index of all words: the paper's word2rule and rule2location as one structure.
//!
//! A *place* is the index of a symbol in the grammar: in the root, or in the right-hand side of a rule
//! that is too long to be looked through (see `below`). For each word the index has the places at which
//! it occurs, as a symbol or inside a short rule, with its offset there. So one step finds most words of
//! most texts, and the rest are in the long rules of a document. The paper's rule2location lists every
//! occurrence of a rule in the text, which for a repetitive corpus is as long as the text. Ours is at
//! most a few times as long as the grammar plus a sixteenth of the text.

use super::below::{Below, Limits};
use super::places::Places;
use crate::expand::Texts;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass};
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Occurrences {
    /// The start of each token's list, and the end of the last.
    starts: Vec<u32>,
    /// Places, in rising order in each list.
    at: Vec<u32>,
    /// The offset of the word in the text of the symbol at each place, or `OFTEN`.
    within: Vec<u16>,
    /// The places of long rules, in rising order.
    long: Vec<u32>,
    /// Per rule: the words that may be below it.
    sieves: Vec<Sieve>,
    pub(super) places: Places,
}

/// A set of words with false positives: a Bloom filter of 64 bits, two per word.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Sieve(u64);

impl Sieve {
    pub(super) fn of(word: u32) -> Self {
        let hash = u64::from(word).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52;
        Self(1 << (hash & 63) | 1 << (hash >> 6))
    }

    /// The union of both sets.
    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all words of another set may be in this one.
    #[inline]
    pub(super) fn may_have(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Places in rising order, with the offset of a word in the symbol at each.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) at: &'a [u32],
    pub(super) within: &'a [u16],
}

impl Row<'_> {
    /// The part of the list in a range of places.
    pub(super) fn part(self, range: &Range<usize>) -> Self {
        let part = part_of(self.at, range);
        Self { at: &self.at[part.clone()], within: &self.within[part] }
    }
}

/// The part of a rising list of places that is in a range.
fn part_of(places: &[u32], range: &Range<usize>) -> Range<usize> {
    let start = places.partition_point(|&at| (at as usize) < range.start);
    start..start + places[start..].partition_point(|&at| (at as usize) < range.end)
}

impl Occurrences {
    pub(super) fn new(
        grammar: &Grammar,
        texts: &Texts,
        dictionary: &Dictionary,
        limits: Limits,
    ) -> Self {
        let (below, places) = rayon::join(
            || Below::new(grammar, texts, dictionary, limits),
            || Places::new(grammar, texts, dictionary),
        );
        // Separators are the most frequent tokens, and no query contains them.
        let first = dictionary.ids(TokenClass::Separator).end;
        let starts = starts_of_lists(grammar, &below, first);
        let total = starts[starts.len() - 1] as usize;
        let (mut at, mut within) = (vec![0u32; total], vec![0u16; total]);
        let mut long = Vec::new();
        // Each start moves to the end of its list while that is filled; then all move back by one list.
        let mut next = starts;
        let mut put = |word: Symbol, place: usize, offset: u16| {
            let next = &mut next[word as usize];
            at[*next as usize] = place as u32;
            within[*next as usize] = offset;
            *next += 1;
        };
        for section in below.sections(grammar) {
            for (place, &symbol) in section.clone().zip(&grammar.symbols()[section]) {
                match grammar.as_rule(symbol) {
                    None if symbol < first => {}
                    None => put(symbol, place, 0),
                    Some(rule) => match below.words(rule) {
                        None => long.push(place as u32),
                        Some(words) => {
                            words.iter().for_each(|&(word, offset)| put(word, place, offset));
                        }
                    },
                }
            }
        }
        let mut starts = next;
        let lists = starts.len() - 1;
        starts.copy_within(..lists, 1);
        starts[0] = 0;
        Self { starts, at, within, long, sieves: sieves(grammar, first), places }
    }

    /// The places of a word.
    pub(super) fn row(&self, word: u32) -> Row<'_> {
        let range = self.starts[word as usize] as usize..self.starts[word as usize + 1] as usize;
        Row { at: &self.at[range.clone()], within: &self.within[range] }
    }

    /// The places of long rules in a range.
    pub(super) fn long(&self, range: &Range<usize>) -> &[u32] {
        &self.long[part_of(&self.long, range)]
    }

    /// The words that may be below a rule.
    #[inline]
    pub(super) fn sieve(&self, rule: usize) -> Sieve {
        self.sieves[rule]
    }
}

fn sieves(grammar: &Grammar, first: Symbol) -> Vec<Sieve> {
    let mut sieves = vec![Sieve::default(); grammar.rule_count()];
    for rule in (1..grammar.rule_count()).rev() {
        // Children have higher numbers, so their sets are complete.
        let below = grammar.rule(rule).iter().map(|&symbol| match grammar.as_rule(symbol) {
            Some(child) => sieves[child].0,
            None if symbol >= first => Sieve::of(symbol).0,
            None => 0,
        });
        sieves[rule] = Sieve(below.fold(0, |all, one| all | one));
    }
    sieves
}

/// The start of each token's list, and the end of the last.
fn starts_of_lists(grammar: &Grammar, below: &Below, first: Symbol) -> Vec<u32> {
    let tokens = grammar.tokens() as usize;
    let mut uses = vec![0u32; tokens + grammar.rule_count()];
    for section in below.sections(grammar) {
        grammar.symbols()[section].iter().for_each(|&symbol| uses[symbol as usize] += 1);
    }
    let mut starts = vec![0u32; tokens + 1];
    starts[first as usize..tokens].copy_from_slice(&uses[first as usize..tokens]);
    for (rule, &uses) in uses[tokens..].iter().enumerate() {
        let words = below.words(rule).unwrap_or_default();
        words.iter().for_each(|&(word, _)| starts[word as usize] += uses);
    }
    let mut total = 0u32;
    for start in &mut starts {
        total += std::mem::replace(start, total);
    }
    starts
}
