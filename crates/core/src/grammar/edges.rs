//! A grammar without order, for faster traversal: equal symbols of a rule become one with a count.
//!
//! The TADOC paper calls this edge merging (section 4.5). It suits tasks that do not depend on the order
//! of words, such as word count and inverted index. The stored grammar is unchanged; the merged one is
//! derived from it in linear time.

use super::{Grammar, Symbol};

/// A grammar as a weighted graph: the distinct symbols of each document and each rule, and how often
/// each occurs.
///
/// Rows are the documents and then the rules from 1 on; the root has no row of its own, because its
/// documents have one each. Rules keep their numbers and so their topological order: a top-down pass over
/// weights is one forward scan of the rows. The symbols of a row ascend, tokens before rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct EdgeMerged {
    tokens: u32,
    doc_count: usize,
    starts: Vec<u32>,
    symbols: Vec<Symbol>,
    counts: Vec<u32>,
}

/// One row of [`EdgeMerged`]: distinct symbols in ascending order, and how often each occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EdgeRow<'a> {
    /// The distinct symbols.
    pub(crate) symbols: &'a [Symbol],
    /// How often the symbol at the same index occurs; at least once.
    pub(crate) counts: &'a [u32],
}

impl<'a> EdgeRow<'a> {
    /// Symbols with their counts.
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = (Symbol, u32)> + 'a {
        self.symbols.iter().copied().zip(self.counts.iter().copied())
    }
}

impl EdgeMerged {
    /// Number of documents.
    #[must_use]
    pub(crate) fn doc_count(&self) -> usize {
        self.doc_count
    }

    /// Number of rules, the root included.
    #[must_use]
    pub(crate) fn rule_count(&self) -> usize {
        self.starts.len() - self.doc_count
    }

    /// A document's row.
    #[must_use]
    pub(crate) fn document(&self, doc: usize) -> EdgeRow<'_> {
        assert!(doc < self.doc_count, "document {doc} of {}", self.doc_count);
        self.row(doc)
    }

    /// A rule's row.
    ///
    /// # Panics
    /// For rule 0: the root's rows are its documents.
    #[must_use]
    pub(crate) fn rule(&self, rule: usize) -> EdgeRow<'_> {
        assert!(rule > 0, "the root has a row for each document");
        self.row(self.doc_count + rule - 1)
    }

    /// The rule that a symbol names, or `None` for a token.
    #[must_use]
    pub(crate) fn as_rule(&self, symbol: Symbol) -> Option<usize> {
        symbol.checked_sub(self.tokens).map(|rule| rule as usize)
    }

    fn row(&self, row: usize) -> EdgeRow<'_> {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        EdgeRow { symbols: &self.symbols[range.clone()], counts: &self.counts[range] }
    }
}

/// Joins the equal symbols of each rule, and of each document, into one with a count.
#[must_use]
pub(crate) fn merge_edges(grammar: &Grammar) -> EdgeMerged {
    let mut merged = EdgeMerged {
        tokens: grammar.tokens(),
        doc_count: grammar.doc_count(),
        starts: Vec::with_capacity(grammar.doc_count() + grammar.rule_count()),
        symbols: Vec::new(),
        counts: Vec::new(),
    };
    merged.starts.push(0);
    let documents = (0..grammar.doc_count()).map(|doc| grammar.document(doc));
    let rules = (1..grammar.rule_count()).map(|rule| grammar.rule(rule));
    let mut sorted = Vec::new();
    let mut spare = Vec::new();
    for body in documents.chain(rules) {
        sorted.clear();
        sorted.extend_from_slice(body);
        sort_symbols(&mut sorted, &mut spare);
        for equal in sorted.chunk_by(|a, b| a == b) {
            merged.symbols.push(equal[0]);
            merged.counts.push(equal.len() as u32);
        }
        merged.starts.push(merged.symbols.len() as u32);
    }
    merged.symbols.shrink_to_fit();
    merged.counts.shrink_to_fit();
    merged
}

/// Rows up to this length are sorted by comparisons: counting would cost more than it saves.
const SHORT_ROW: usize = 1 << 10;

/// Sorts in time linear in the length: by comparisons when short, else by digits.
fn sort_symbols(symbols: &mut Vec<Symbol>, spare: &mut Vec<Symbol>) {
    const DIGIT_BITS: u32 = 11;
    if symbols.len() <= SHORT_ROW {
        symbols.sort_unstable();
        return;
    }
    let used_bits = symbols.iter().fold(0, |all, &symbol| all | symbol).checked_ilog2();
    let digits = used_bits.map_or(0, |top| top / DIGIT_BITS + 1);
    spare.resize(symbols.len(), 0);
    for digit in 0..digits {
        let digit_of =
            |symbol: Symbol| (symbol >> (digit * DIGIT_BITS)) as usize % (1 << DIGIT_BITS);
        let mut next = [0u32; 1 << DIGIT_BITS];
        for &symbol in symbols.iter() {
            next[digit_of(symbol)] += 1;
        }
        let mut start = 0;
        for place in &mut next {
            start += std::mem::replace(place, start);
        }
        for &symbol in symbols.iter() {
            let place = &mut next[digit_of(symbol)];
            spare[*place as usize] = symbol;
            *place += 1;
        }
        std::mem::swap(symbols, spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarBuilder, TokenDocs, sequitur::Sequitur};
    use crate::progress::Silent;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    const TOKENS: u32 = 5;

    fn grammar_of(documents: &[Vec<u32>]) -> Grammar {
        let ids = documents.concat();
        let mut doc_starts = vec![0];
        for document in documents {
            doc_starts.push(doc_starts.last().unwrap() + document.len() as u32);
        }
        let input = TokenDocs { tokens: TOKENS, ids: &ids, doc_starts: &doc_starts };
        Sequitur.build(input, &Silent).unwrap()
    }

    fn documents() -> impl Strategy<Value = Vec<Vec<u32>>> {
        prop::collection::vec(prop::collection::vec(0..TOKENS, 0..200), 0..5)
    }

    fn naive_edges(body: &[Symbol]) -> Vec<(Symbol, u32)> {
        let mut counts = BTreeMap::new();
        for &symbol in body {
            *counts.entry(symbol).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    proptest! {
        #[test]
        fn merged_edges_are_counted_symbols(documents in documents()) {
            let grammar = grammar_of(&documents);
            let merged = merge_edges(&grammar);
            prop_assert_eq!(merged.rule_count(), grammar.rule_count());
            for doc in 0..grammar.doc_count() {
                let edges: Vec<_> = merged.document(doc).iter().collect();
                prop_assert_eq!(edges, naive_edges(grammar.document(doc)));
            }
            for rule in 1..grammar.rule_count() {
                let edges: Vec<_> = merged.rule(rule).iter().collect();
                prop_assert_eq!(edges, naive_edges(grammar.rule(rule)));
            }
        }

        #[test]
        fn one_forward_scan_of_merged_edges_counts_words(documents in documents()) {
            let merged = merge_edges(&grammar_of(&documents));
            let mut weights = vec![0u32; merged.tokens as usize + merged.rule_count()];
            for doc in 0..merged.doc_count() {
                merged.document(doc).iter().for_each(|(s, count)| weights[s as usize] += count);
            }
            for rule in 1..merged.rule_count() {
                let weight = weights[TOKENS as usize + rule];
                for (symbol, count) in merged.rule(rule).iter() {
                    weights[symbol as usize] += weight * count;
                }
            }
            let mut expected = vec![0u32; TOKENS as usize];
            documents.concat().iter().for_each(|&token| expected[token as usize] += 1);
            prop_assert_eq!(&weights[..TOKENS as usize], &expected[..]);
        }

        #[test]
        fn symbols_are_sorted_by_digits(
            short in prop::collection::vec(any::<u32>(), SHORT_ROW / 2..SHORT_ROW * 2),
            shift in 0u32..32,
        ) {
            let mut symbols: Vec<u32> = short.iter().map(|s| s >> shift).collect();
            let mut expected = symbols.clone();
            expected.sort_unstable();
            sort_symbols(&mut symbols, &mut Vec::new());
            prop_assert_eq!(symbols, expected);
        }
    }
}
