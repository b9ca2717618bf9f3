//! The layout of a grammar for kernels: short nodes, and steps that depend only on earlier steps.
//!
//! A thread takes one node, and no thread may run long: drivers have watchdogs, and one software device
//! silently ends loops after 65,535 rounds. So rules and documents above a threshold are cut into
//! *pieces*, which are nodes too, recursively if necessary. The threshold is sixteen times the mean
//! length of rules (gtadoc section IV-B), within bounds. The mean is two to three on real corpora, so
//! that it is the lower bound.
//!
//! Rules are numbered first and keep their numbers; then come documents, then pieces. Rules are sorted by
//! level, parents first, so a level is a range of nodes. With the pieces of its long rules it is two
//! ranges or more, called steps. No masks or queues are needed: a step is one dispatch, or a part of one.

use crate::error::GpuError;
use std::ops::Range;
use zgram::plumbing::Grammar;

/// The most symbols of a node, as a multiple of the mean length of rules.
const LONG: usize = 16;

/// Bounds of the threshold.
const THRESHOLDS: (usize, usize) = (256, 2048);

/// A grammar's rules and some of its documents as nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nodes {
    /// Symbols below this are items, such as words; a symbol `tokens + r` is node `r`.
    pub tokens: u32,
    /// The start of each node in `symbols`, and the end.
    pub starts: Vec<u32>,
    /// The symbols of all nodes.
    pub symbols: Vec<u32>,
    /// The node of the first document; the others follow.
    pub first_document: u32,
    /// The number of documents.
    pub documents: u32,
    /// Ranges of nodes. The children of a node are in later steps.
    pub steps: Vec<Range<u32>>,
    /// The number of symbols in the longest node.
    pub longest: usize,
}

/// A part of a long node.
struct Piece<'g> {
    body: &'g [u32],
    level: usize,
}

/// How rules and documents become nodes.
struct Cutter<'a> {
    /// The most symbols of a node.
    threshold: usize,
    /// Maps a symbol of the grammar to a symbol of its node; `None` if it is left out.
    renamed: &'a dyn Fn(u32) -> Option<u32>,
}

impl Nodes {
    /// The threshold for a grammar, unless it is set by hand.
    #[must_use]
    pub fn threshold(grammar: &Grammar) -> usize {
        let rules = grammar.rule_count() - 1;
        let symbols = grammar.symbols().len() - grammar.root().len();
        (LONG * symbols / rules.max(1)).clamp(THRESHOLDS.0, THRESHOLDS.1)
    }

    /// Lays out a grammar's rules and `documents` as nodes of at most `threshold` symbols. `item` maps a
    /// token to its item, below `items`. Tokens that map to none are left out, so that no pass visits
    /// them.
    ///
    /// # Errors
    /// When the numbers of nodes or symbols do not fit in 32 bits.
    pub fn new(
        grammar: &Grammar,
        documents: &[usize],
        threshold: usize,
        items: u32,
        item: impl Fn(u32) -> Option<u32>,
    ) -> Result<Self, GpuError> {
        let renamed = |symbol: u32| match symbol.checked_sub(grammar.tokens()) {
            Some(rule) => Some(items + rule),
            None => item(symbol),
        };
        let cutter = Cutter { threshold, renamed: &renamed };
        let levels = levels(grammar);
        let rules = grammar.rule_count();
        let too_many = || GpuError::TooMany { what: "rules and documents" };
        let first_document = u32::try_from(rules).map_err(|_| too_many())?;
        // `renamed` adds these numbers.
        items.checked_add(first_document).ok_or_else(too_many)?;
        let count = u32::try_from(documents.len()).map_err(|_| too_many())?;
        let mut nodes = Self {
            tokens: items,
            starts: Vec::with_capacity(rules + documents.len() + 1),
            symbols: Vec::with_capacity(grammar.symbols().len()),
            first_document,
            documents: count,
            steps: Vec::new(),
            longest: 0,
        };
        // For each generation, the nodes of each level. Documents are level 0.
        let mut generations = vec![levels.clone()];
        generations[0].insert(0, first_document..first_document + count);
        let mut pieces: Vec<Piece<'_>> = Vec::new();
        let mut next = rules + documents.len();
        nodes.starts.push(0);
        // The root is an empty node: nothing refers to it, and the documents hold its symbols.
        nodes.starts.push(0);
        for (level, range) in (1..).zip(&levels) {
            for rule in range.clone() {
                let body = grammar.rule(rule as usize);
                nodes.put(Piece { body, level }, &cutter, &mut next, &mut pieces)?;
            }
        }
        for &document in documents {
            let body = grammar.document(document);
            nodes.put(Piece { body, level: 0 }, &cutter, &mut next, &mut pieces)?;
        }
        while !pieces.is_empty() {
            let mut generation: Vec<Range<u32>> = vec![0..0; levels.len() + 1];
            for piece in std::mem::take(&mut pieces) {
                let node = nodes.starts.len() as u32 - 1;
                let range = &mut generation[piece.level];
                let start = if range.start == range.end { node } else { range.start };
                *range = start..node + 1;
                nodes.put(piece, &cutter, &mut next, &mut pieces)?;
            }
            generations.push(generation);
        }
        for level in 0..=levels.len() {
            let steps = generations.iter().map(|generation| generation[level].clone());
            nodes.steps.extend(steps.filter(|step| !step.is_empty()));
        }
        u32::try_from(nodes.symbols.len() + nodes.len() + nodes.tokens as usize)
            .map_err(|_| GpuError::TooMany { what: "symbols" })?;
        Ok(nodes)
    }

    /// Adds the next node. The pieces of a long one are numbered from `next` on.
    fn put<'g>(
        &mut self,
        piece: Piece<'g>,
        &Cutter { threshold, renamed }: &Cutter<'_>,
        next: &mut usize,
        pieces: &mut Vec<Piece<'g>>,
    ) -> Result<(), GpuError> {
        let Piece { body, level } = piece;
        let from = self.symbols.len();
        if body.len() <= threshold {
            self.symbols.extend(body.iter().filter_map(|&symbol| renamed(symbol)));
        } else {
            // The largest power of the threshold below the length, so that there are at most `threshold`
            // pieces.
            let mut size = threshold;
            while size.saturating_mul(threshold) < body.len() {
                size *= threshold;
            }
            for body in body.chunks(size) {
                let symbol = self.tokens as usize + *next;
                let symbol = u32::try_from(symbol)
                    .map_err(|_| GpuError::TooMany { what: "rules and documents" })?;
                self.symbols.push(symbol);
                *next += 1;
                pieces.push(Piece { body, level });
            }
        }
        self.longest = self.longest.max(self.symbols.len() - from);
        let end = u32::try_from(self.symbols.len());
        self.starts.push(end.map_err(|_| GpuError::TooMany { what: "symbols" })?);
        Ok(())
    }

    /// The number of nodes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none. The root always has a node.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Ranges of rules without the root, such that a rule refers only to later ranges. In a grammar sorted by
/// level they are the levels. Any order with parents first has such ranges.
fn levels(grammar: &Grammar) -> Vec<Range<u32>> {
    let rules = grammar.rule_count();
    let mut levels = Vec::new();
    let mut first = 1;
    while first < rules {
        let mut end = rules;
        let mut rule = first;
        while rule < end {
            let children = grammar.rule(rule).iter().filter_map(|&symbol| grammar.as_rule(symbol));
            end = children.fold(end, usize::min);
            rule += 1;
        }
        levels.push(first as u32..end as u32);
        first = end;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::ops::ControlFlow;

    /// A grammar of random rules; each consists of later rules and tokens.
    fn grammars() -> impl Strategy<Value = Grammar> {
        let bodies =
            proptest::collection::vec(proptest::collection::vec(any::<u32>(), 2..40), 1..30);
        (bodies, proptest::collection::vec(any::<u32>(), 0..200)).prop_map(|(bodies, root)| {
            let (tokens, rules) = (5u32, bodies.len() as u32 + 1);
            // A token, or a rule after `rule`.
            let symbol = |any: u32, rule: u32| {
                let any = any % (tokens + rules - 1 - rule);
                if any < tokens { any } else { any + rule + 1 }
            };
            let mut symbols: Vec<u32> = root.iter().map(|&any| symbol(any, 0)).collect();
            let mut rule_starts = vec![0, symbols.len() as u32];
            for (rule, body) in (1..).zip(&bodies) {
                symbols.extend(body.iter().map(|&any| symbol(any, rule)));
                rule_starts.push(symbols.len() as u32);
            }
            let doc_starts = vec![0, rule_starts[1] / 3, rule_starts[1]];
            Grammar::new(tokens, rule_starts, symbols, doc_starts).unwrap()
        })
    }

    /// Nested rules expand to more tokens than a test can compare.
    const MOST: usize = 20_000;

    /// The counted tokens among the first, and whether these are all.
    fn first_tokens(grammar: &Grammar, document: usize, counted: u32) -> (Vec<u32>, bool) {
        let (mut tokens, mut steps) = (Vec::new(), 0);
        let _ = grammar.expand(grammar.document(document), |token| {
            tokens.extend((token < counted).then_some(token));
            steps += 1;
            if steps > MOST { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        (tokens, steps <= MOST)
    }

    proptest! {
        #[test]
        fn rows_say_what_the_grammar_says(
            grammar in grammars(),
            threshold in 2usize..20,
            counted in 0u32..=5,
        ) {
            // Items are numbered in reverse order of tokens.
            let item = |token: u32| (token < counted).then(|| counted - 1 - token);
            let nodes = Nodes::new(&grammar, &[0, 1], threshold, counted, item).unwrap();
            prop_assert!(nodes.longest <= threshold);
            // Documents expand to the same tokens.
            for document in 0..2 {
                let mut pending = vec![nodes.tokens + nodes.first_document + document as u32];
                let (mut tokens, mut steps) = (Vec::new(), 0);
                while let Some(symbol) = pending.pop() {
                    match symbol.checked_sub(nodes.tokens) {
                        None => tokens.push(counted - 1 - symbol),
                        Some(node) => {
                            let range = nodes.starts[node as usize]..nodes.starts[node as usize + 1];
                            let body = &nodes.symbols[range.start as usize..range.end as usize];
                            pending.extend(body.iter().rev());
                        }
                    }
                    steps += 1;
                    if steps > 3 * MOST {
                        break;
                    }
                }
                let (mut expected, are_all) = first_tokens(&grammar, document, counted);
                if !are_all || steps > 3 * MOST {
                    let both = tokens.len().min(expected.len());
                    tokens.truncate(both);
                    expected.truncate(both);
                }
                prop_assert_eq!(tokens, expected);
            }
            // The children of a node are in later steps, and each node is in one step.
            let mut step_of = vec![None; nodes.len()];
            for (number, step) in nodes.steps.iter().enumerate() {
                for node in step.clone() {
                    prop_assert!(step_of[node as usize].replace(number).is_none());
                }
            }
            for node in 1..nodes.len() {
                let range = nodes.starts[node] as usize..nodes.starts[node + 1] as usize;
                for symbol in &nodes.symbols[range] {
                    if let Some(child) = symbol.checked_sub(nodes.tokens) {
                        prop_assert!(step_of[child as usize] > step_of[node]);
                    }
                }
            }
        }
    }
}
