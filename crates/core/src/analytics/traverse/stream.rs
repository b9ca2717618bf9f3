//! Stream: a document's words one after the other.
//!
//! On text that hardly repeats, a document reaches nearly as many symbols through rules as it has
//! words, and going over the words themselves is faster: no weights, no bitmaps, no random access.
//! Rules that stand for few words are written out once, words only; a document is then spelled by
//! going through its slice of the root and taking short stretches of words from there.

use crate::analytics::words::NO_WORD;
use crate::grammar::{Grammar, Symbol};

/// Rules up to this many words are written out.
const SHORT: usize = 256;

/// Written out, rules take at most this many words for each symbol they have.
const WRITTEN_OUT: usize = 8;

/// The words of short rules.
pub(crate) struct Spelling {
    words: Vec<u32>,
    /// Each symbol's words; of longer rules, [`Span::LONG`].
    spans: Vec<Span>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Span {
    start: u32,
    len: u32,
}

impl Span {
    const LONG: Self = Self { start: 0, len: u32::MAX };
}

impl Spelling {
    /// Writes out short rules; `numbers` gives each token's word, or [`NO_WORD`].
    pub(crate) fn new(grammar: &Grammar, numbers: &[u32]) -> Self {
        let tokens = grammar.tokens() as usize;
        let rules = grammar.rule_count();
        let bodies = grammar.symbols().len() - grammar.root().len();
        let mut words = Vec::with_capacity(tokens + bodies);
        let most_words = (tokens + WRITTEN_OUT * bodies).min(u32::MAX as usize);
        let mut spans = vec![Span { start: 0, len: 0 }; tokens + rules];
        for (span, &number) in spans.iter_mut().zip(numbers) {
            if number != NO_WORD {
                *span = Span { start: words.len() as u32, len: 1 };
                words.push(number);
            }
        }
        for rule in (1..rules).rev() {
            let body = grammar.rule(rule);
            let mut len = 0usize;
            for &symbol in body {
                len = len.saturating_add(spans[symbol as usize].len as usize);
            }
            spans[tokens + rule] = if len > SHORT || words.len() + len > most_words {
                Span::LONG
            } else {
                let start = words.len() as u32;
                for &symbol in body {
                    let Span { start, len } = spans[symbol as usize];
                    words.extend_from_within(start as usize..(start + len) as usize);
                }
                Span { start, len: len as u32 }
            };
        }
        Self { words, spans }
    }

    /// Hands the words that `symbols` stand for to `sink`, a stretch at a time.
    #[inline]
    pub(crate) fn spell(
        &self,
        grammar: &Grammar,
        symbols: &[Symbol],
        mut sink: impl FnMut(&[u32]),
    ) {
        for &symbol in symbols {
            let span = self.spans[symbol as usize];
            if span == Span::LONG {
                self.spell_long(grammar, symbol, &mut sink);
            } else {
                sink(&self.words[span.start as usize..(span.start + span.len) as usize]);
            }
        }
    }

    #[inline(never)]
    fn spell_long(&self, grammar: &Grammar, symbol: Symbol, sink: &mut impl FnMut(&[u32])) {
        let body = |symbol: Symbol| {
            let rule = grammar.as_rule(symbol).expect("a token is short");
            grammar.rule(rule)
        };
        // Symbols still to come, of each rule that is being spelled.
        let mut pending = vec![body(symbol)];
        while let Some(symbols) = pending.pop() {
            let mut symbols = symbols;
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let span = self.spans[symbol as usize];
                if span == Span::LONG {
                    if !rest.is_empty() {
                        pending.push(rest);
                    }
                    symbols = body(symbol);
                } else {
                    sink(&self.words[span.start as usize..(span.start + span.len) as usize]);
                }
            }
        }
    }
}
