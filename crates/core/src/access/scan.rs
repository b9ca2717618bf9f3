//! Finding and counting a word without an index: a pass over the rules tells which have it below them,
//! a pass over the documents' part of the root where those stand.
//!
//! To make an index takes as long as some dozens of such passes. Whoever asks once need not wait for it.

use super::offsets::{RootPlace, STEP};
use super::search::{Hit, Inside};
use super::segment::Segment;
use crate::token::{TokenClass, join};
use std::ops::Range;

impl Segment {
    /// Calls `hit` with each place of a word in some documents, in order, and the document's number
    /// here.
    pub(super) fn scan(&self, word: u32, documents: Range<usize>, mut hit: impl FnMut(usize, Hit)) {
        let (root, tokens) = (self.grammar.root(), self.grammar.tokens() as usize);
        let has = self.symbols_with(word);
        let mut inside = Inside::default();
        for document in documents {
            let section = self.root_range(document);
            let mut place = RootPlace { at: section.start, offset: 0, last: TokenClass::Separator };
            for (at, &symbol) in section.clone().zip(&root[section.clone()]) {
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
                let may_have = |rule: usize| has[tokens + rule];
                for &within in inside.offsets(self, at, word, may_have) {
                    let offset = place.offset.saturating_add(gap).saturating_add(within);
                    // Of a file that lies about lengths, sums may be anything.
                    if offset < self.document_len(document) {
                        hit(document, Hit { offset, at, within, section: section.clone() });
                    }
                }
            }
        }
    }

    /// How often a word stands in a document.
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

    /// Of every symbol, whether it is the word or has it below it.
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
