//! The length of each symbol's text, and the classes of its first and last token.

use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};

/// Lengths in bytes; they saturate.
pub(super) struct SymbolLens {
    lens: Vec<u64>,
    ends: Vec<(TokenClass, TokenClass)>,
}

impl SymbolLens {
    pub(super) fn new(grammar: &Grammar, dictionary: &Dictionary) -> Self {
        let tokens = grammar.tokens();
        let mut lens: Vec<u64> = (0..tokens).map(|id| dictionary.bytes(id).len() as u64).collect();
        let mut ends: Vec<(TokenClass, TokenClass)> =
            (0..tokens).map(|id| (dictionary.class(id), dictionary.class(id))).collect();
        lens.resize(tokens as usize + grammar.rule_count(), 0);
        ends.resize(lens.len(), (TokenClass::Separator, TokenClass::Separator));
        for rule in (1..grammar.rule_count()).rev() {
            let body = grammar.rule(rule);
            let (mut len, mut last) = (0u64, TokenClass::Separator);
            for &symbol in body {
                let (first, last_of_this) = ends[symbol as usize];
                let gap = join(last, first).len() as u64;
                len = len.saturating_add(gap).saturating_add(lens[symbol as usize]);
                last = last_of_this;
            }
            let first = body.first().map_or(last, |&symbol| ends[symbol as usize].0);
            lens[tokens as usize + rule] = len;
            ends[tokens as usize + rule] = (first, last);
        }
        Self { lens, ends }
    }

    /// The length of a symbol's text.
    #[inline]
    pub(super) fn len(&self, symbol: Symbol) -> u64 {
        self.lens[symbol as usize]
    }

    /// The classes of its first and last token.
    #[inline]
    pub(super) fn ends(&self, symbol: Symbol) -> (TokenClass, TokenClass) {
        self.ends[symbol as usize]
    }
}
