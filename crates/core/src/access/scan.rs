//! Finding and counting a word without an index. One pass over the rules finds those that contain the
//! word, and one pass over the documents' part of the root finds where these occur.
//!
//! Building an index takes as long as some dozens of such passes, so the first searches do without.

use super::inside::{Inside, Start};
use super::offsets::{RootPlace, STEP};
use super::search::Hit;
use super::segment::Segment;
use crate::token::{TokenClass, join};
use std::ops::{ControlFlow, Range};

impl Segment {
    /// Calls `hit` with each occurrence of a word in some documents, in order, and the document's
    /// number here, until `hit` breaks. Symbols that end before the offset `from` of the first of the
    /// documents are skipped.
    pub(super) fn scan<B>(
        &self,
        word: u32,
        documents: Range<usize>,
        from: u64,
        mut hit: impl FnMut(usize, Hit) -> ControlFlow<B>,
    ) -> ControlFlow<B> {
        let (root, tokens) = (self.grammar.root(), self.grammar.tokens() as usize);
        let has = self.symbols_with(word);
        let mut inside = Inside::default();
        let first = documents.start;
        for document in documents {
            let from = if document == first { from } else { 0 };
            let section = self.root_range(document);
            let mut place = match from {
                0 => RootPlace { at: section.start, offset: 0, last: TokenClass::Separator },
                _ => self.offsets.before_offset(&self.grammar, &self.texts, document, from),
            };
            let rest = place.at..section.end;
            for (at, &symbol) in rest.clone().zip(&root[rest]) {
                if !has[symbol as usize] {
                    continue;
                }
                if at - place.at > STEP {
                    place = self.offsets.before_place(&self.grammar, &self.texts, document, at);
                }
                while place.at < at {
                    place.pass(root[place.at], self);
                }
                let gap = join(place.last, self.texts.ends(symbol).0).len() as u64;
                let offset = place.offset.saturating_add(gap);
                if from > 0 && offset.saturating_add(self.len_of(symbol)) <= from {
                    continue;
                }
                let start = Start { at, section: section.clone(), offset };
                let may_have = |rule: usize| has[tokens + rule];
                inside.each(self, word, start, from, may_have, |found| {
                    // In a forged file, sums of lengths may have any value.
                    if found.offset < self.document_len(document) {
                        return hit(document, found);
                    }
                    ControlFlow::Continue(())
                })?;
            }
        }
        ControlFlow::Continue(())
    }

    /// How often a word occurs in a document.
    pub(super) fn count_by_scan(&self, word: u32, document: usize) -> u64 {
        let tokens = self.grammar.tokens() as usize;
        let mut times = vec![0u64; tokens + self.grammar.rule_count()];
        times[word as usize] = 1;
        let sum = |times: &[u64], symbols: &[u32]| {
            symbols.iter().fold(0u64, |sum, &symbol| sum.saturating_add(times[symbol as usize]))
        };
        for rule in (1..self.grammar.rule_count()).rev() {
            times[tokens + rule] = sum(&times, self.grammar.rule(rule));
        }
        sum(&times, self.grammar.document(document))
    }

    /// Per symbol: whether it is the word or contains it.
    fn symbols_with(&self, word: u32) -> Vec<bool> {
        let tokens = self.grammar.tokens() as usize;
        let mut has = vec![false; tokens + self.grammar.rule_count()];
        has[word as usize] = true;
        for rule in (1..self.grammar.rule_count()).rev() {
            has[tokens + rule] = self.grammar.rule(rule).iter().any(|&part| has[part as usize]);
        }
        has
    }
}
