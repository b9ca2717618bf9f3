//! The paper's rootOffset: the length of the text before each symbol of the root.
//!
//! Only every eighth value is kept, which takes one byte per symbol. The rest is a short scan over
//! lengths that are in cache by then. The implied space between two words belongs to the second word.

use super::segment::Segment;
use crate::expand::Texts;
use crate::grammar::{Grammar, Symbol};
use crate::token::{Dictionary, TokenClass, join};

/// Root symbols between samples.
pub(super) const STEP: usize = 8;

/// Text lengths before symbols and documents of a root. Sums saturate.
#[derive(Debug)]
pub(super) struct RootOffsets {
    samples: Vec<u64>,
    /// The length before each document, and the total.
    documents: Vec<u64>,
}

/// A symbol of the root, and the state of its document before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootPlace {
    /// Its index in the root.
    pub(super) at: usize,
    /// Bytes of the document before it, without the implied space before it.
    pub(super) offset: u64,
    /// The class of the token before it.
    pub(super) last: TokenClass,
}

impl RootPlace {
    /// Moves past `symbol`, which is the one here.
    pub(super) fn pass(&mut self, symbol: Symbol, segment: &Segment) {
        let (first, last) = segment.texts.ends(symbol);
        let gap = join(self.last, first).len() as u64;
        self.offset = self.offset.saturating_add(gap).saturating_add(segment.len_of(symbol));
        self.last = last;
        self.at += 1;
    }
}

impl RootOffsets {
    pub(super) fn new(grammar: &Grammar, texts: &Texts, dictionary: &Dictionary) -> Self {
        let root = grammar.root();
        let mut samples = Vec::with_capacity(root.len() / STEP + 1);
        let mut documents = Vec::with_capacity(grammar.doc_count() + 1);
        let mut offset = 0u64;
        for range in grammar.doc_starts().windows(2) {
            documents.push(offset);
            let mut last = TokenClass::Separator;
            let places = range[0] as usize..range[1] as usize;
            for (at, &symbol) in places.clone().zip(&root[places]) {
                if at % STEP == 0 {
                    samples.push(offset);
                }
                let (first, last_of_this) = texts.ends(symbol);
                let gap = join(last, first).len() as u64;
                let len = texts.len(symbol, grammar, dictionary);
                offset = offset.saturating_add(gap).saturating_add(len);
                last = last_of_this;
            }
        }
        documents.push(offset);
        Self { samples, documents }
    }

    /// Bytes before a document, or before the end.
    pub(super) fn document_start(&self, document: usize) -> u64 {
        self.documents[document]
    }

    /// A document's length in bytes.
    pub(super) fn document_len(&self, document: usize) -> u64 {
        self.documents[document + 1] - self.documents[document]
    }

    /// The last sampled symbol of a document at or before `offset`: where a scan starts.
    pub(super) fn before_offset(
        &self,
        grammar: &Grammar,
        texts: &Texts,
        document: usize,
        offset: u64,
    ) -> RootPlace {
        let start = grammar.doc_starts()[document] as usize;
        let end = grammar.doc_starts()[document + 1] as usize;
        let base = self.documents[document];
        let first = start.div_ceil(STEP);
        let samples = &self.samples[first..end.div_ceil(STEP).max(first)];
        let before = count_before(
            samples,
            self.document_len(document),
            |sample| sample - base <= offset,
            offset,
        );
        match before.checked_sub(1) {
            None => RootPlace { at: start, offset: 0, last: TokenClass::Separator },
            Some(sample) => {
                let at = (first + sample) * STEP;
                RootPlace {
                    at,
                    offset: samples[sample] - base,
                    last: before_it(grammar, texts, start, at),
                }
            }
        }
    }

    /// The last sampled symbol of a document at or before the index `at`: where a scan starts.
    pub(super) fn before_place(
        &self,
        grammar: &Grammar,
        texts: &Texts,
        document: usize,
        at: usize,
    ) -> RootPlace {
        let start = grammar.doc_starts()[document] as usize;
        let sampled = at / STEP * STEP;
        if sampled <= start {
            return RootPlace { at: start, offset: 0, last: TokenClass::Separator };
        }
        let offset = self.samples[at / STEP] - self.documents[document];
        RootPlace { at: sampled, offset, last: before_it(grammar, texts, start, sampled) }
    }
}

/// The number of samples for which `is_before` holds. Text is spread evenly enough over the root that a
/// guess comes close, which avoids most memory accesses of a binary search.
fn count_before(
    samples: &[u64],
    total: u64,
    is_before: impl Fn(u64) -> bool,
    offset: u64,
) -> usize {
    let share = u128::from(offset) * samples.len() as u128 / u128::from(total.max(1));
    let guess = (share as usize).min(samples.len());
    let (mut low, mut high, mut step) = (guess, guess, 4);
    while low > 0 && !is_before(samples[low - 1]) {
        high = low - 1;
        low = high.saturating_sub(step);
        step *= 2;
    }
    while high < samples.len() && is_before(samples[high]) {
        low = high + 1;
        high = (low + step).min(samples.len());
        step *= 2;
    }
    low + samples[low..high].partition_point(|&sample| is_before(sample))
}

/// The class of the token before index `at` of the root, in a document that begins at `start`.
fn before_it(grammar: &Grammar, texts: &Texts, start: usize, at: usize) -> TokenClass {
    if at == start { TokenClass::Separator } else { texts.ends(grammar.root()[at - 1]).1 }
}
