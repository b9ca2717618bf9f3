//! The traversals: how a document's words reach a task.
//!
//! A [`Driver`] is prepared once per grammar and then visits documents, from several threads where there
//! are several: each visitor has its own [`Scratch`] for what changes during a visit.

mod bottom_up;
mod pending;
mod stream;
mod top_down;

pub(crate) use pending::{Layers, Pending};
pub(crate) use stream::{ExpandedRules, StreamScratch};

use super::task::{Task, Traversal};
use super::words::NO_WORD;
use crate::corpus::Documents;
use crate::error::QueryError;
use crate::grammar::Grammar;
use crate::grammar::edges::{EdgeMerged, merge_edges};
use bottom_up::{BottomUp, Rows};
use top_down::{TopDown, Weights};

/// Runs `task` on each of `documents` of a grammar and returns what it propagates for each.
#[cfg(test)]
pub(crate) fn traverse<T: Task>(
    grammar: &Grammar,
    documents: &[usize],
    traversal: Traversal,
    task: &T,
) -> Vec<T::Message> {
    let all: Vec<u32> = (0..grammar.tokens()).collect();
    let driver = Driver::new(traversal, grammar.into(), Numbers::of_words(&all), task);
    let mut scratch = driver.scratch(task);
    documents
        .iter()
        .map(|&document| {
            let visited = driver.visit(grammar.into(), &[document], task, &mut scratch);
            visited.expect("a grammar in memory can be read");
            task.propagate(&mut scratch.value)
        })
        .collect()
}

/// A traversal that was prepared for a grammar.
pub(crate) enum Driver<T: Task> {
    TopDown(TopDown),
    BottomUp(BottomUp<T>),
    /// Words equal to the number are gaps.
    Stream(ExpandedRules, u32),
}

/// What a task sees instead of the tokens of a grammar.
#[derive(Clone, Copy)]
pub(crate) struct Numbers<'n> {
    /// For each token a word, [`NO_WORD`] for none, or the break.
    pub(crate) of_tokens: &'n [u32],
    /// Marks a gap between words, for ordered tasks; [`NO_WORD`] if there are none.
    pub(crate) break_word: u32,
}

impl<'n> Numbers<'n> {
    /// Without gaps.
    pub(crate) fn of_words(of_tokens: &'n [u32]) -> Self {
        Self { of_tokens, break_word: NO_WORD }
    }
}

/// What a visit writes to.
pub(crate) struct Scratch<T: Task> {
    pub(crate) value: T::Value,
    weights: Weights,
    stream: StreamScratch,
    /// Symbols visited.
    pub(crate) visited: u64,
}

impl<T: Task> Driver<T> {
    /// Prepares a traversal.
    pub(crate) fn new(
        traversal: Traversal,
        segment: Documents<'_>,
        Numbers { of_tokens, break_word }: Numbers<'_>,
        task: &T,
    ) -> Self {
        let is_ordered = task.is_ordered();
        if traversal == Traversal::Stream || is_ordered && traversal.is_top_down() {
            return Self::Stream(ExpandedRules::new(segment, of_tokens), break_word);
        }
        let grammar = renumber(segment.grammar(), of_tokens);
        match is_ordered {
            true => Self::BottomUp(BottomUp::new(Rows::InOrder { grammar, break_word }, task)),
            false => Self::from_edges(traversal, merge_edges(&grammar), task),
        }
    }

    /// Prepares any traversal but stream, for a grammar that need not outlive this call and a task that
    /// is not ordered.
    pub(crate) fn from_grammar(traversal: Traversal, grammar: &Grammar, task: &T) -> Self {
        Self::from_edges(traversal, merge_edges(grammar), task)
    }

    fn from_edges(traversal: Traversal, edges: EdgeMerged, task: &T) -> Self {
        match traversal {
            Traversal::BottomUp => Self::BottomUp(BottomUp::new(Rows::Merged(edges), task)),
            Traversal::TopDownSingle => Self::TopDown(TopDown::new(edges, Layers::Single)),
            _ => Self::TopDown(TopDown::new(edges, Layers::Double)),
        }
    }

    pub(crate) fn scratch(&self, task: &T) -> Scratch<T> {
        let weights = match self {
            Self::TopDown(top_down) => top_down.weights(),
            _ => Weights::default(),
        };
        Scratch { value: task.value(), weights, stream: StreamScratch::default(), visited: 0 }
    }

    /// Lets `task` gather from `documents` of the same grammar, taken together, into the scratch's
    /// value.
    pub(crate) fn visit(
        &self,
        segment: Documents<'_>,
        documents: &[usize],
        task: &T,
        scratch: &mut Scratch<T>,
    ) -> Result<(), QueryError> {
        let Scratch { value, weights, stream, visited } = scratch;
        *visited += match self {
            Self::TopDown(top_down) => top_down.visit(documents, task, value, weights),
            Self::BottomUp(bottom_up) => bottom_up.visit(documents, task, value),
            Self::Stream(rules, break_word) => {
                for &document in documents {
                    if task.is_ordered() {
                        rules.read(segment, document, stream, |stretch| {
                            put_stretch(task, value, stretch, *break_word);
                        })?;
                        continue;
                    }
                    rules.tally(segment, document, stream, |word, times| {
                        task.local(value, word, times);
                    })?;
                }
                documents.iter().map(|&document| segment.len(document) as u64).sum()
            }
        };
        Ok(())
    }

    /// Symbols visited while preparing.
    pub(crate) fn prepared(&self, segment: Documents<'_>) -> u64 {
        match self {
            Self::TopDown(_) => 0,
            Self::BottomUp(bottom_up) => bottom_up.prepared(),
            Self::Stream(..) => segment.rules_len() as u64,
        }
    }
}

/// Shows words that follow each other, and the gaps between them, to an ordered task.
fn put_stretch<T: Task>(task: &T, value: &mut T::Value, words: &[u32], break_word: u32) {
    for (at, words) in words.split(|&word| word == break_word).enumerate() {
        if at > 0 {
            task.gap(value);
        }
        task.stretch(value, words);
    }
}

/// The grammar with other tokens, and without those that have no number. Rules may become empty.
pub(crate) fn renumber(grammar: &Grammar, numbers: &[u32]) -> Grammar {
    let tokens = numbers.iter().copied().filter(|&number| number != NO_WORD).max();
    let tokens = tokens.map_or(0, |most| most + 1);
    let mut symbols = Vec::with_capacity(grammar.symbols().len());
    let mut put = |body: &[u32]| {
        for &symbol in body {
            match grammar.as_rule(symbol) {
                Some(rule) => symbols.push(tokens + rule as u32),
                None if numbers[symbol as usize] != NO_WORD => {
                    symbols.push(numbers[symbol as usize]);
                }
                None => {}
            }
        }
        symbols.len() as u32
    };
    let mut doc_starts = vec![0];
    doc_starts.extend((0..grammar.doc_count()).map(|doc| put(grammar.document(doc))));
    let mut rule_starts = vec![0, *doc_starts.last().expect("the first document's start")];
    rule_starts.extend((1..grammar.rule_count()).map(|rule| put(grammar.rule(rule))));
    Grammar::from_checked(tokens, rule_starts, symbols, doc_starts)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analytics::sequences::{Derived, Packing, derive};
    use crate::analytics::tally::Tally;

    /// `levels` rules, each twice the next, over the words 0 and 1.
    fn tower(levels: u32) -> Grammar {
        let rule = |number: u32| 2 + number;
        let mut symbols = vec![rule(1)];
        let mut rule_starts = vec![0, 1];
        for number in 1..=levels {
            let next = rule(number + 1);
            symbols.extend(if number == levels { [0, 1] } else { [next, next] });
            rule_starts.push(symbols.len() as u32);
        }
        Grammar::new(2, rule_starts, symbols, vec![0, 1]).unwrap()
    }

    #[test]
    fn a_tower_of_rules_is_counted_without_expanding_it() {
        let levels = 40;
        let grammar = tower(levels);
        let half = 1u64 << (levels - 1);
        let packing = Packing::new(3, 2);
        let Derived { grammar: sequences, keys } = derive::<u64>(&grammar, &packing).unwrap();
        for traversal in Traversal::ALL {
            if traversal == Traversal::Stream {
                continue;
            }
            let mut counts = traverse(&grammar, &[0], traversal, &Tally { tokens: 2 });
            counts[0].sort_unstable();
            assert_eq!(counts, [vec![(0, half), (1, half)]]);
            let task = Tally { tokens: keys.len() };
            let mut counts = traverse(&sequences, &[0], traversal, &task);
            counts[0].sort_unstable();
            // 0 1 0 and 1 0 1, each one time less than pairs.
            assert_eq!(counts, [vec![(0, half - 1), (1, half - 1)]]);
        }
        // Counts saturate at 64 bits.
        let counts = traverse(&tower(90), &[0], Traversal::TopDownSingle, &Tally { tokens: 2 });
        assert!(counts[0].iter().all(|&(_, count)| count > u64::MAX / 2));
    }
}
