//! Coarser forms of a grammar for faster traversal, made when it is loaded (tadoc section 4.5).
//!
//! [`merge_edges`] joins equal symbols of a rule into one with a count. It loses order, so it suits
//! tasks that do not ask for it (word count, inverted index). [`coarsen_nodes`] writes out rules
//! that stand for short strings and keeps order, so that fewer sequences span several rules
//! (sequence count). The stored grammar stays as it is; both are derived from it in linear time.

use super::{Grammar, Symbol};

/// A grammar as a weighted graph: for each document and each rule its distinct symbols and how
/// often each occurs.
///
/// Rows are the documents and then the rules from 1 on; the root has no row, as its documents are
/// its rows. Rules keep their numbers and thereby topological order: a top-down pass over weights
/// is one forward scan of the rows. Within a row symbols rise, tokens before rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EdgeMerged {
    tokens: u32,
    doc_count: usize,
    starts: Vec<u32>,
    symbols: Vec<Symbol>,
    counts: Vec<u32>,
}

/// One row of [`EdgeMerged`]: distinct symbols, rising, and how often each occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edges<'a> {
    /// The distinct symbols.
    pub symbols: &'a [Symbol],
    /// How often the symbol at the same index occurs; at least once.
    pub counts: &'a [u32],
}

impl<'a> Edges<'a> {
    /// Symbols with their counts.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (Symbol, u32)> + 'a {
        self.symbols.iter().copied().zip(self.counts.iter().copied())
    }
}

impl EdgeMerged {
    /// Number of terminals, as in the grammar.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Number of documents.
    #[must_use]
    pub fn doc_count(&self) -> usize {
        self.doc_count
    }

    /// Number of rules, the root included.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.starts.len() - self.doc_count
    }

    /// A document's row.
    #[must_use]
    pub fn document(&self, doc: usize) -> Edges<'_> {
        assert!(doc < self.doc_count, "document {doc} of {}", self.doc_count);
        self.row(doc)
    }

    /// A rule's row.
    ///
    /// # Panics
    /// For rule 0: the root's rows are its documents.
    #[must_use]
    pub fn rule(&self, rule: usize) -> Edges<'_> {
        assert!(rule > 0, "the root has a row for each document");
        self.row(self.doc_count + rule - 1)
    }

    /// The rule that a symbol names, or `None` for a token.
    #[must_use]
    pub fn as_rule(&self, symbol: Symbol) -> Option<usize> {
        symbol.checked_sub(self.tokens).map(|rule| rule as usize)
    }

    /// Where each row starts in [`symbols`](Self::symbols) and [`counts`](Self::counts), and the
    /// end.
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// All rows' symbols.
    #[must_use]
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// All rows' counts.
    #[must_use]
    pub fn counts(&self) -> &[u32] {
        &self.counts
    }

    fn row(&self, row: usize) -> Edges<'_> {
        let range = self.starts[row] as usize..self.starts[row + 1] as usize;
        Edges { symbols: &self.symbols[range.clone()], counts: &self.counts[range] }
    }
}

/// Joins the equal symbols of each rule, and of each document, into one with a count.
#[must_use]
pub fn merge_edges(grammar: &Grammar) -> EdgeMerged {
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

/// Why a grammar cannot be coarsened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CoarsenError {
    /// Written out, the rules would not fit 32-bit offsets. A smaller threshold helps: the result
    /// has less than `min_tokens` times the symbols of the grammar.
    #[error("the coarser grammar would have {symbols} symbols, more than 32-bit offsets reach")]
    TooLarge {
        /// The size it would have.
        symbols: u64,
    },
}

/// Writes out every rule that stands for fewer than `min_tokens` tokens wherever it is used.
///
/// All rules below a short rule are shorter still, so each is written out to plain tokens, and all
/// rules above a rule that stays are longer and stay too. Hence the rules that stay keep their
/// levels, their order and their use counts, and a grammar that satisfies [`Grammar::validate`]
/// satisfies it afterwards. (The paper's threshold counts a rule's symbols, not the tokens it
/// stands for; tokens are what sequences are made of.)
///
/// # Errors
/// When the result would have more symbols than 32-bit offsets reach.
pub fn coarsen_nodes(grammar: &Grammar, min_tokens: u64) -> Result<Grammar, CoarsenError> {
    let lengths = grammar.expanded_lengths();
    let stays = |rule: usize| rule == 0 || lengths[rule] >= min_tokens;
    let kept = || (0..grammar.rule_count()).filter(|&rule| stays(rule));

    let written_length = |&symbol: &Symbol| match grammar.as_rule(symbol) {
        Some(child) if !stays(child) => lengths[child],
        _ => 1,
    };
    let size =
        kept().flat_map(|rule| grammar.rule(rule)).map(written_length).fold(0, u64::saturating_add);
    if size > u64::from(u32::MAX) {
        return Err(CoarsenError::TooLarge { symbols: size });
    }

    let mut writer = Writer {
        grammar,
        lengths: &lengths,
        names: vec![None; grammar.rule_count()],
        written_at: vec![None; grammar.rule_count()],
        pending: Vec::new(),
        symbols: Vec::with_capacity(size as usize),
    };
    for (number, rule) in kept().enumerate() {
        writer.names[rule] = Some(grammar.tokens() + number as u32);
    }
    let mut doc_starts = vec![0];
    for doc in 0..grammar.doc_count() {
        writer.write(grammar.document(doc));
        doc_starts.push(writer.symbols.len() as u32);
    }
    let mut rule_starts = vec![0, writer.symbols.len() as u32];
    for rule in kept().skip(1) {
        writer.write(grammar.rule(rule));
        rule_starts.push(writer.symbols.len() as u32);
    }
    let symbols = writer.symbols;
    Ok(Grammar { tokens: grammar.tokens(), rule_starts, symbols, doc_starts })
}

/// Writes right-hand sides with short rules as plain tokens.
struct Writer<'a> {
    grammar: &'a Grammar,
    lengths: &'a [u64],
    /// The new symbols of the rules that stay.
    names: Vec<Option<Symbol>>,
    /// Where the others have been written first; later copies are taken from there.
    written_at: Vec<Option<u32>>,
    pending: Vec<std::slice::Iter<'a, Symbol>>,
    symbols: Vec<Symbol>,
}

impl<'a> Writer<'a> {
    fn write(&mut self, body: &'a [Symbol]) {
        self.pending.push(body.iter());
        while let Some(iter) = self.pending.last_mut() {
            let Some(&symbol) = iter.next() else {
                self.pending.pop();
                continue;
            };
            let Some(rule) = self.grammar.as_rule(symbol) else {
                self.symbols.push(symbol);
                continue;
            };
            if let Some(name) = self.names[rule] {
                self.symbols.push(name);
            } else if let Some(start) = self.written_at[rule] {
                let start = start as usize;
                self.symbols.extend_from_within(start..start + self.lengths[rule] as usize);
            } else {
                self.written_at[rule] = Some(self.symbols.len() as u32);
                self.pending.push(self.grammar.rule(rule).iter());
            }
        }
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
            let mut weights = vec![0u32; merged.tokens() as usize + merged.rule_count()];
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
        fn coarser_nodes_keep_text_and_invariants(documents in documents(), min_tokens in 0u64..40) {
            let grammar = grammar_of(&documents);
            let coarse = coarsen_nodes(&grammar, min_tokens).unwrap();
            coarse.validate().unwrap();
            for (doc, tokens) in documents.iter().enumerate() {
                prop_assert_eq!(&coarse.document_tokens(doc), tokens);
            }
            prop_assert!(coarse.expanded_lengths()[1..].iter().all(|&len| len >= min_tokens));
            let longer = grammar.expanded_lengths()[1..].iter().filter(|&&l| l >= min_tokens).count();
            prop_assert_eq!(coarse.rule_count() - 1, longer);
            if min_tokens <= 2 {
                prop_assert_eq!(coarse, grammar);
            }
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

    /// A tower of rules that double: rule `r` stands for `2^(height - r)` tokens.
    fn tower(height: u32) -> Grammar {
        let symbols = (0..height).flat_map(|r| if r + 1 < height { [r + 2; 2] } else { [0; 2] });
        let rule_starts = (0..=height).map(|rule| 2 * rule).collect();
        Grammar::new(1, rule_starts, symbols.collect(), vec![0, 2]).unwrap()
    }

    #[test]
    fn too_large_a_result_is_refused() {
        let symbols = |height, min| coarsen_nodes(&tower(height), min);
        assert_eq!(symbols(32, u64::MAX), Err(CoarsenError::TooLarge { symbols: 1 << 32 }));
        assert_eq!(symbols(100, u64::MAX), Err(CoarsenError::TooLarge { symbols: u64::MAX }));
        assert_eq!(symbols(20, u64::MAX).unwrap().root(), vec![0; 1 << 20]);
        assert_eq!(symbols(100, 1 << 10).unwrap().rule_count(), 91);
    }

    #[test]
    fn rules_of_no_or_one_symbol_are_written_out_too() {
        // Root: 1 2 1, rule 1: 3, rule 2 empty, rule 3: a token.
        let grammar =
            Grammar::new(1, vec![0, 3, 4, 4, 5], vec![2, 3, 2, 4, 0], vec![0, 3]).unwrap();
        let coarse = coarsen_nodes(&grammar, 2).unwrap();
        assert_eq!((coarse.root(), coarse.rule_count()), (&[0, 0][..], 1));
    }
}
