//! The words of a segment in order, without separators: the text that the phrase index sorts.

use super::BuildError;
use crate::grammar::{Grammar, Symbol};

/// The words of a segment.
pub(super) struct Text {
    /// For each word, its token less the first token that is a word. For the end of each document,
    /// [`END`].
    pub(super) symbols: Vec<i32>,
    /// Number of documents.
    pub(super) documents: usize,
}

/// The end of a document.
pub(super) const END: i32 = -1;

/// Most symbols: the suffix array has numbers of 32 bits with a sign, and the sorter needs some above.
pub(super) const MOST_SYMBOLS: u64 = i32::MAX as u64 - 16;

impl Text {
    /// Expands a grammar to its words; tokens below `first_word` are separators.
    pub(super) fn of(grammar: &Grammar, first_word: u32) -> Result<Self, BuildError> {
        let lens = word_counts(grammar, first_word);
        let len_of = |symbol: Symbol| match grammar.as_rule(symbol) {
            Some(rule) => lens[rule],
            None => u64::from(symbol >= first_word),
        };
        let total =
            grammar.root().iter().fold(0u64, |sum, &symbol| sum.saturating_add(len_of(symbol)));
        let documents = grammar.doc_count();
        if total.saturating_add(documents as u64) > MOST_SYMBOLS {
            return Err(BuildError::TooManyWords { most: MOST_SYMBOLS });
        }
        let mut symbols: Vec<i32> = Vec::with_capacity(total as usize + documents);
        // Where the words of each rule were written first. From then on they are copied.
        let mut written = vec![u32::MAX; grammar.rule_count()];
        let mut pending: Vec<Level<'_>> = Vec::new();
        for document in 0..documents {
            let mut level = Level { rest: grammar.document(document), rule: 0, start: 0 };
            loop {
                let Some((&symbol, rest)) = level.rest.split_first() else {
                    let Some(outer) = pending.pop() else { break };
                    written[level.rule] = level.start;
                    level = outer;
                    continue;
                };
                level.rest = rest;
                match grammar.as_rule(symbol) {
                    None if symbol < first_word => {}
                    None => symbols.push((symbol - first_word) as i32),
                    Some(rule) if lens[rule] == 0 => {}
                    Some(rule) if written[rule] != u32::MAX => {
                        let start = written[rule] as usize;
                        symbols.extend_from_within(start..start + lens[rule] as usize);
                    }
                    Some(rule) => {
                        let start = symbols.len() as u32;
                        let inner = Level { rest: grammar.rule(rule), rule, start };
                        pending.push(std::mem::replace(&mut level, inner));
                    }
                }
            }
            symbols.push(END);
        }
        Ok(Self { symbols, documents })
    }
}

/// A right-hand side that is being expanded.
struct Level<'a> {
    rest: &'a [Symbol],
    rule: usize,
    /// Where its words begin.
    start: u32,
}

/// How many words each rule expands to; saturates. The root's entry is 0.
pub(crate) fn word_counts(grammar: &Grammar, first_word: u32) -> Vec<u64> {
    let mut counts = vec![0u64; grammar.rule_count()];
    for rule in (1..grammar.rule_count()).rev() {
        counts[rule] = grammar.rule(rule).iter().fold(0u64, |sum, &symbol| {
            sum.saturating_add(match grammar.as_rule(symbol) {
                Some(inner) => counts[inner],
                None => u64::from(symbol >= first_word),
            })
        });
    }
    counts
}
