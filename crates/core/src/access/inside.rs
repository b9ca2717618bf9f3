//! Occurrences of one word inside a symbol of the grammar.
//!
//! Repetitive text meets the same symbols again and again, so the offsets of the word in a symbol's
//! text are kept. Only symbols of little text are listed, and the lists are discarded once they are
//! many: a symbol of a few bytes may expand to gigabytes. Larger symbols are traversed, down to
//! symbols that are small enough.

use super::search::Hit;
use super::segment::Segment;
use crate::grammar::Symbol;
use crate::token::{TokenClass, join};
use rustc_hash::FxHashMap;
use std::ops::{ControlFlow, Range};

/// Bytes of text of the largest symbol whose offsets are listed.
pub(super) const MOST_LISTED: u64 = 1 << 16;

/// Offsets kept at a time.
const MOST_KEPT: usize = 1 << 20;

/// A symbol of the grammar and where its text begins in a document.
#[derive(Clone)]
pub(super) struct Start {
    /// Its place among the symbols of the grammar.
    pub(super) at: usize,
    /// The right-hand side that contains it, or the document's part of the root.
    pub(super) section: Range<usize>,
    /// The offset of its text, behind the space that is implied before it.
    pub(super) offset: u64,
}

/// The offsets of a word in the text of symbols: ranges of `offsets`.
#[derive(Default)]
pub(super) struct Inside {
    known: FxHashMap<Symbol, Range<usize>>,
    offsets: Vec<u64>,
}

impl Inside {
    /// Calls `hit` with each occurrence of a word in the text of a symbol, in order. Symbols that end
    /// at or before the offset `from` are skipped. `may_have` says of a rule whether the word may
    /// occur in it.
    pub(super) fn each<B>(
        &mut self,
        segment: &Segment,
        word: u32,
        start: Start,
        from: u64,
        may_have: impl Fn(usize) -> bool,
        mut hit: impl FnMut(Hit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let grammar = &segment.grammar;
        let symbol = grammar.symbols()[start.at];
        let Some(rule) = grammar.as_rule(symbol).filter(|_| segment.len_of(symbol) > MOST_LISTED)
        else {
            return self.listed(segment, word, &start, may_have, &mut hit);
        };
        let body = |rule: usize| {
            let starts = grammar.rule_starts();
            starts[rule] as usize..starts[rule + 1] as usize
        };
        let mut section = body(rule);
        let mut at = section.start;
        let (mut offset, mut last) = (start.offset, TokenClass::Separator);
        // Right-hand sides that are not finished, and their next places.
        let mut pending: Vec<(usize, Range<usize>)> = Vec::new();
        loop {
            if at == section.end {
                match pending.pop() {
                    None => return ControlFlow::Continue(()),
                    Some(above) => (at, section) = above,
                }
                continue;
            }
            let symbol = grammar.symbols()[at];
            let rule = grammar.as_rule(symbol);
            let (first, last_of_this) = segment.texts.ends(symbol);
            let begin = offset.saturating_add(join(last, first).len() as u64);
            let end = begin.saturating_add(segment.len_of(symbol));
            if end > from && rule.map_or(symbol == word, &may_have) {
                if let Some(rule) = rule.filter(|_| segment.len_of(symbol) > MOST_LISTED) {
                    pending.push((at + 1, section));
                    section = body(rule);
                    at = section.start;
                    continue;
                }
                let start = Start { at, section: section.clone(), offset: begin };
                self.listed(segment, word, &start, &may_have, &mut hit)?;
            }
            (offset, last) = (end, last_of_this);
            at += 1;
        }
    }

    /// The same for a symbol of little text.
    fn listed<B>(
        &mut self,
        segment: &Segment,
        word: u32,
        start: &Start,
        may_have: impl Fn(usize) -> bool,
        hit: &mut impl FnMut(Hit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let symbols = &segment.grammar.symbols()[start.at..=start.at];
        if self.offsets.len() > MOST_KEPT {
            self.known.clear();
            self.offsets.clear();
        }
        let offsets = &mut self.offsets;
        let range = self.known.entry(symbols[0]).or_insert_with(|| {
            let from = offsets.len();
            segment.walk(symbols, may_have, |token, offset| {
                if token == word {
                    offsets.push(offset);
                }
            });
            from..offsets.len()
        });
        self.offsets[range.clone()].iter().try_for_each(|&within| {
            let offset = start.offset.saturating_add(within);
            hit(Hit { offset, at: start.at, within, section: start.section.clone() })
        })
    }
}
