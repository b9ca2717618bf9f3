//! Grammars: rules over token ids, the data structure that every other module works on.
//!
//! A [`Grammar`] is a straight-line context-free grammar in three flat arrays. Symbols below
//! [`Grammar::tokens`] are dictionary ids (terminals); a symbol `tokens + r` is rule `r`. Rule 0 is
//! the root; no rule refers to it. Each document is a slice of the root, so rules contain no splitter
//! symbols and no rule crosses a document boundary (TADOC paper, sections 2.1 and 4.2).
//!
//! Rules are numbered by level, which is also a topological order with parents first (a rule's level is
//! the length of the longest path from the root to it). So a top-down pass is one forward scan, a
//! bottom-up pass is one backward scan, and a level is a range of rules.
//!
//! Two implementations of [`GrammarBuilder`] find rules in token ids: [`sequitur`] and [`re_pair`]. Both
//! pass a [`RuleSet`] in any numbering to [`RuleSet::arrange`], which inlines rules that save no space
//! and sorts the others into topological order.

pub(crate) mod edges;
#[cfg(test)]
mod naive;
mod order;
pub(crate) mod re_pair;
pub(crate) mod sequitur;
mod validate;

pub use order::RuleSet;
pub use validate::GrammarError;

use crate::progress::{Interrupted, Progress};
use crate::token::Renumbering;

/// A symbol of a right-hand side: a token id, or `tokens + rule`.
pub type Symbol = u32;

/// A grammar in flat, topologically ordered form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grammar {
    tokens: u32,
    rule_starts: Vec<u32>,
    symbols: Vec<Symbol>,
    doc_starts: Vec<u32>,
}

/// The input of a builder: token ids of several documents, back to back.
#[derive(Clone, Copy, Debug)]
pub struct TokenDocs<'a> {
    /// Number of distinct token ids; every id is below it.
    pub tokens: u32,
    /// All documents' token ids.
    pub ids: &'a [u32],
    /// Document `d` is `ids[doc_starts[d]..doc_starts[d + 1]]`; starts with 0, ends with `ids.len()`.
    pub doc_starts: &'a [u32],
}

impl<'a> TokenDocs<'a> {
    /// The documents' token slices, in order.
    pub fn documents(self) -> impl ExactSizeIterator<Item = &'a [u32]> {
        self.doc_starts.windows(2).map(move |w| &self.ids[w[0] as usize..w[1] as usize])
    }
}

/// An algorithm that finds rules.
pub trait GrammarBuilder: Sync {
    /// Builds a grammar whose documents expand to exactly `input`.
    ///
    /// # Errors
    /// Only when `progress` asks to stop.
    fn build(&self, input: TokenDocs<'_>, progress: &dyn Progress) -> Result<Grammar, Interrupted>;
}

impl Grammar {
    /// A grammar of these arrays, after a check of every structural invariant (see [`GrammarError`]).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn new(
        tokens: u32,
        rule_starts: Vec<u32>,
        symbols: Vec<Symbol>,
        doc_starts: Vec<u32>,
    ) -> Result<Self, GrammarError> {
        let grammar = Self { tokens, rule_starts, symbols, doc_starts };
        grammar.check_structure()?;
        Ok(grammar)
    }

    /// A grammar of arrays that the caller has checked as [`new`](Self::new) would.
    pub(crate) fn from_checked(
        tokens: u32,
        rule_starts: Vec<u32>,
        symbols: Vec<Symbol>,
        doc_starts: Vec<u32>,
    ) -> Self {
        let grammar = Self { tokens, rule_starts, symbols, doc_starts };
        debug_assert_eq!(grammar.check_structure(), Ok(()));
        grammar
    }

    /// The same grammar with other ids for its tokens.
    pub(crate) fn renumbered(mut self, ids: Renumbering<'_>) -> Self {
        ids.apply(&mut self.symbols);
        self.tokens = ids.tokens();
        self
    }

    /// Number of terminals: a symbol below it is a token id, any other is a rule.
    #[must_use]
    pub fn tokens(&self) -> u32 {
        self.tokens
    }

    /// Number of rules, the root included.
    #[must_use]
    pub fn rule_count(&self) -> usize {
        self.rule_starts.len() - 1
    }

    /// Number of documents.
    #[must_use]
    pub fn doc_count(&self) -> usize {
        self.doc_starts.len() - 1
    }

    /// The right-hand side of a rule.
    #[must_use]
    pub fn rule(&self, rule: usize) -> &[Symbol] {
        &self.symbols[self.rule_starts[rule] as usize..self.rule_starts[rule + 1] as usize]
    }

    /// The right-hand side of rule 0: all documents back to back.
    #[must_use]
    pub fn root(&self) -> &[Symbol] {
        self.rule(0)
    }

    /// A document's slice of the root.
    #[must_use]
    pub fn document(&self, doc: usize) -> &[Symbol] {
        &self.symbols[self.doc_starts[doc] as usize..self.doc_starts[doc + 1] as usize]
    }

    /// Where each rule starts in [`symbols`](Self::symbols), and the end; `rule_count() + 1` long.
    #[must_use]
    pub fn rule_starts(&self) -> &[u32] {
        &self.rule_starts
    }

    /// All right-hand sides back to back, the root first.
    #[must_use]
    pub fn symbols(&self) -> &[Symbol] {
        &self.symbols
    }

    /// Where each document starts in the root, and the end; `doc_count() + 1` long.
    #[must_use]
    pub fn doc_starts(&self) -> &[u32] {
        &self.doc_starts
    }

    /// How often each symbol occurs in all documents together, in the root or in rules. Counts saturate.
    pub(crate) fn uses(&self) -> Vec<u64> {
        let mut uses = vec![0; self.tokens() as usize + self.rule_count()];
        self.root().iter().for_each(|&symbol| uses[symbol as usize] += 1);
        self.add_uses_below(&mut uses);
        uses
    }

    /// Adds the uses in rules to each symbol's uses in the root, in one pass from the top. Counts
    /// saturate.
    pub(crate) fn add_uses_below(&self, uses: &mut [u64]) {
        let tokens = self.tokens() as usize;
        for rule in 1..self.rule_count() {
            // The rules that use it come first, so this count is final.
            let own = uses[tokens + rule];
            for &symbol in self.rule(rule) {
                let below = &mut uses[symbol as usize];
                *below = below.saturating_add(own);
            }
        }
    }

    /// The rule that a symbol names, or `None` for a token.
    #[must_use]
    pub fn as_rule(&self, symbol: Symbol) -> Option<usize> {
        symbol.checked_sub(self.tokens).map(|rule| rule as usize)
    }

    /// Each rule's level: 0 for the root, otherwise one more than its deepest parent's.
    #[must_use]
    pub fn levels(&self) -> Vec<u32> {
        let mut levels = vec![0u32; self.rule_count()];
        for rule in 0..self.rule_count() {
            let below = levels[rule] + 1;
            for &symbol in self.rule(rule) {
                if let Some(child) = self.as_rule(symbol) {
                    levels[child] = levels[child].max(below);
                }
            }
        }
        levels
    }

    /// The length of the longest path from the root to a token: 0 for an empty grammar, 1 for a root of
    /// tokens.
    #[must_use]
    pub fn depth(&self) -> u32 {
        if self.symbols.is_empty() {
            0
        } else {
            self.levels().iter().max().map_or(0, |level| level + 1)
        }
    }

    /// Each rule's length in tokens. It saturates at `u64::MAX`, which 64 rules that double can reach.
    #[must_use]
    pub fn expanded_lengths(&self) -> Vec<u64> {
        let mut lengths = vec![0u64; self.rule_count()];
        for rule in (0..self.rule_count()).rev() {
            lengths[rule] = self.rule(rule).iter().fold(0u64, |sum, &symbol| {
                sum.saturating_add(self.as_rule(symbol).map_or(1, |child| lengths[child]))
            });
        }
        lengths
    }

    /// Hands the tokens of `symbols` to `sink`, without recursion, until `sink` breaks.
    pub fn expand<B>(
        &self,
        symbols: &[Symbol],
        mut sink: impl FnMut(u32) -> std::ops::ControlFlow<B>,
    ) -> std::ops::ControlFlow<B> {
        let mut pending: Vec<std::slice::Iter<'_, Symbol>> = vec![symbols.iter()];
        while let Some(iter) = pending.last_mut() {
            let Some(&symbol) = iter.next() else {
                pending.pop();
                continue;
            };
            match self.as_rule(symbol) {
                None => sink(symbol)?,
                Some(rule) => {
                    // A rule's last symbol needs no return, so the stack grows only by real nesting.
                    if iter.as_slice().is_empty() {
                        pending.pop();
                    }
                    pending.push(self.rule(rule).iter());
                }
            }
        }
        std::ops::ControlFlow::Continue(())
    }

    /// A document's tokens.
    #[must_use]
    pub fn document_tokens(&self, doc: usize) -> Vec<u32> {
        let mut tokens = Vec::new();
        let _ = self.expand(self.document(doc), |token| {
            tokens.push(token);
            std::ops::ControlFlow::<()>::Continue(())
        });
        tokens
    }
}
