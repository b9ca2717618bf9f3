//! Counts the words of each document of a grammar.

use super::WordCounts;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass};
use rayon::prelude::*;

impl WordCounts {
    /// Counts the words of all documents, in parallel.
    pub(crate) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let all: Vec<usize> = (0..grammar.doc_count()).collect();
        Self::of_documents(grammar, dictionary, &all)
    }

    /// Counts the words of some documents, in this order.
    pub(crate) fn of_documents(
        grammar: &Grammar,
        dictionary: &Dictionary,
        documents: &[usize],
    ) -> Self {
        let first = dictionary.ids(TokenClass::Separator).end;
        let ready = ReadyWords::new(grammar, first);
        let lengths = grammar.expanded_lengths();
        let none =
            || (vec![0u64; (grammar.tokens() - first) as usize], vec![0u64; grammar.rule_count()]);
        let documents: Vec<Vec<(u32, u64)>> = documents
            .par_iter()
            .map_init(none, |(counts, weights), &document| {
                let mut words = Vec::new();
                let mut found = |word: u32, times: u64| {
                    let count = &mut counts[(word - first) as usize];
                    if *count == 0 {
                        words.push(word);
                    }
                    *count = count.saturating_add(times);
                };
                let symbols = grammar.document(document);
                let tokens = symbols.iter().fold(0u64, |sum, &symbol| {
                    let tokens = grammar.as_rule(symbol).map_or(1, |rule| lengths[rule]);
                    sum.saturating_add(tokens)
                });
                // A text longer than the grammar is not expanded.
                if tokens > grammar.symbols().len() as u64 {
                    weigh(grammar, first, symbols, weights, &mut found);
                } else {
                    ready.each_word(grammar, symbols, |word| found(word, 1));
                }
                words.sort_unstable();
                let take = |word: u32| std::mem::take(&mut counts[(word - first) as usize]);
                words.iter().copied().zip(words.iter().copied().map(take)).collect()
            })
            .collect();
        let mut all = Self::none();
        documents.into_iter().for_each(|document| all.push_document(document.into_iter()));
        all
    }
}

/// Calls `found` with the words of some symbols and how often they occur: passes the weight of each rule
/// down to its symbols. A word may be found several times. `weights` must be all zero, and is so
/// afterwards.
fn weigh(
    grammar: &Grammar,
    first: u32,
    symbols: &[Symbol],
    weights: &mut [u64],
    found: &mut impl FnMut(u32, u64),
) {
    let mut pass = |weights: &mut [u64], symbols: &[Symbol], weight: u64| {
        for &symbol in symbols {
            match grammar.as_rule(symbol) {
                Some(rule) => weights[rule] = weights[rule].saturating_add(weight),
                None if symbol >= first => found(symbol, weight),
                None => {}
            }
        }
    };
    pass(weights, symbols, 1);
    for rule in 1..grammar.rule_count() {
        let weight = std::mem::take(&mut weights[rule]);
        if weight > 0 {
            pass(weights, grammar.rule(rule), weight);
        }
    }
}

/// The words of short rules, written out once. Most of a text is short rules that are used often.
struct ReadyWords {
    /// The first token that is a word.
    first: u32,
    /// Where each rule's words begin in `words`, and their number; `LONG` if they are not there.
    places: Vec<(u32, u32)>,
    words: Vec<u32>,
}

/// Marks a rule that is expanded each time.
const LONG: u32 = u32::MAX;

/// A rule with more words is expanded each time.
const READY_WORDS: u32 = 64;

/// At most this many words are written out, plus those of one rule.
const READY_TOTAL: usize = 1 << 25;

impl ReadyWords {
    fn new(grammar: &Grammar, first: u32) -> Self {
        let places = vec![(0, LONG); grammar.rule_count()];
        let mut ready = Self { first, places, words: Vec::new() };
        for rule in (1..grammar.rule_count()).rev() {
            let start = ready.words.len();
            if start < READY_TOTAL && ready.write_out(grammar.rule(rule), grammar) {
                ready.places[rule] = (start as u32, (ready.words.len() - start) as u32);
            } else {
                ready.words.truncate(start);
            }
        }
        ready
    }

    /// Appends the words of a rule's body; returns `false` if they are too many.
    fn write_out(&mut self, body: &[Symbol], grammar: &Grammar) -> bool {
        let most = self.words.len() + READY_WORDS as usize;
        for &symbol in body {
            match grammar.as_rule(symbol) {
                None if symbol >= self.first => self.words.push(symbol),
                None => {}
                Some(rule) => {
                    let (start, len) = self.places[rule];
                    if len == LONG {
                        return false;
                    }
                    self.words.extend_from_within(start as usize..(start + len) as usize);
                }
            }
            if self.words.len() > most {
                return false;
            }
        }
        true
    }

    /// Calls `found` with every word of some symbols, in any order.
    fn each_word<'a>(
        &self,
        grammar: &'a Grammar,
        symbols: &'a [Symbol],
        mut found: impl FnMut(u32),
    ) {
        let mut pending = vec![symbols];
        while let Some(symbols) = pending.pop() {
            for &symbol in symbols {
                match grammar.as_rule(symbol) {
                    None if symbol >= self.first => found(symbol),
                    None => {}
                    Some(rule) => {
                        let (start, len) = self.places[rule];
                        if len == LONG {
                            pending.push(grammar.rule(rule));
                        } else {
                            let words = &self.words[start as usize..(start + len) as usize];
                            words.iter().copied().for_each(&mut found);
                        }
                    }
                }
            }
        }
    }
}
