//! Symbols to text.
//!
//! Most of what a document is made of are short rules, used often. Their text is written out once,
//! when an [`Expander`] is made; expanding a document then mostly copies ready strings.

use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};
use std::io::{self, Write};

/// A rule whose text is longer is expanded anew each time.
const READY_LEN: u64 = 96;

/// All ready texts together stay below this.
const READY_TOTAL: usize = 256 << 20;

/// Expands symbols of one grammar.
pub struct Expander<'a> {
    grammar: &'a Grammar,
    dictionary: &'a Dictionary,
    rules: Vec<RuleText>,
    ready: Vec<u8>,
}

#[derive(Clone, Copy, Debug)]
struct RuleText {
    /// Length of the rule's text in bytes; saturates.
    len: u64,
    /// Where the text stands in `ready`, or `NOT_READY`.
    start: u32,
    first: TokenClass,
    last: TokenClass,
}

const NOT_READY: u32 = u32::MAX;

impl<'a> Expander<'a> {
    /// Prepares the short rules' texts. `dictionary` must be the grammar's.
    #[must_use]
    pub fn new(grammar: &'a Grammar, dictionary: &'a Dictionary) -> Self {
        let none = RuleText {
            len: 0,
            start: NOT_READY,
            first: TokenClass::Separator,
            last: TokenClass::Separator,
        };
        let mut expander = Self {
            grammar,
            dictionary,
            rules: vec![none; grammar.rule_count()],
            ready: Vec::new(),
        };
        for rule in (1..grammar.rule_count()).rev() {
            expander.rules[rule] = expander.prepare(grammar.rule(rule));
        }
        expander
    }

    fn prepare(&mut self, body: &[Symbol]) -> RuleText {
        let text = RuleText {
            len: self.len(body),
            start: NOT_READY,
            first: self.ends(body[0]).0,
            last: self.ends(body[body.len() - 1]).1,
        };
        if text.len > READY_LEN || self.ready.len() + READY_LEN as usize > READY_TOTAL {
            return text;
        }
        let start = self.ready.len() as u32;
        let mut last = None;
        for &symbol in body {
            let (first, next_last) = self.ends(symbol);
            if let Some(last) = last {
                self.ready.extend_from_slice(join(last, first));
            }
            match self.grammar.as_rule(symbol) {
                None => self.ready.extend_from_slice(self.dictionary.bytes(symbol)),
                Some(rule) => {
                    // A part of a short text is shorter still, so it is ready.
                    let part = self.rules[rule];
                    let from = part.start as usize;
                    self.ready.extend_from_within(from..from + part.len as usize);
                }
            }
            last = Some(next_last);
        }
        RuleText { start, ..text }
    }

    /// The classes of a symbol's first and last token.
    fn ends(&self, symbol: Symbol) -> (TokenClass, TokenClass) {
        match self.grammar.as_rule(symbol) {
            Some(rule) => (self.rules[rule].first, self.rules[rule].last),
            None => {
                let class = self.dictionary.class(symbol);
                (class, class)
            }
        }
    }

    /// The length in bytes of what `symbols` expand to.
    #[must_use]
    pub fn len(&self, symbols: &[Symbol]) -> u64 {
        let mut len = 0u64;
        let mut last = None;
        for &symbol in symbols {
            let (first, next_last) = self.ends(symbol);
            let gap = last.map_or(0, |last| join(last, first).len() as u64);
            let own = match self.grammar.as_rule(symbol) {
                Some(rule) => self.rules[rule].len,
                None => self.dictionary.bytes(symbol).len() as u64,
            };
            len = len.saturating_add(gap).saturating_add(own);
            last = Some(next_last);
        }
        len
    }

    /// Writes what `symbols` expand to.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write(&self, symbols: &[Symbol], out: &mut dyn Write) -> io::Result<()> {
        let mut buffer = Vec::with_capacity(BUFFER + READY_LEN as usize + 1);
        let mut pending = vec![symbols.iter()];
        let mut last = TokenClass::Separator;
        while let Some(iter) = pending.last_mut() {
            let Some(&symbol) = iter.next() else {
                pending.pop();
                continue;
            };
            let text = match self.grammar.as_rule(symbol) {
                None => {
                    let class = self.dictionary.class(symbol);
                    buffer.extend_from_slice(join(last, class));
                    last = class;
                    self.dictionary.bytes(symbol)
                }
                Some(rule) => {
                    let text = &self.rules[rule];
                    if text.start == NOT_READY {
                        if iter.as_slice().is_empty() {
                            pending.pop();
                        }
                        pending.push(self.grammar.rule(rule).iter());
                        continue;
                    }
                    buffer.extend_from_slice(join(last, text.first));
                    last = text.last;
                    &self.ready[text.start as usize..text.start as usize + text.len as usize]
                }
            };
            buffer.extend_from_slice(text);
            if buffer.len() >= BUFFER {
                out.write_all(&buffer)?;
                buffer.clear();
            }
        }
        out.write_all(&buffer)
    }
}

const BUFFER: usize = 1 << 16;
