//! One loaded segment, with the indexes built on it.
//!
//! `lines.rs` and `offsets.rs` have two of these indexes, and use this type in turn.

use super::below::Limits;
use super::lines::LineEnds;
use super::occurrences::Occurrences;
use super::offsets::{RootOffsets, RootPlace};
use super::patience::Patience;
use super::word_offsets::WordOffsets;
use crate::corpus::Corpus;
use crate::error::OpenError;
use crate::expand::Texts;
use crate::format::SectionKind;
use crate::format::word_counts::WordCounts;
use crate::grammar::{Grammar, Symbol};
use crate::lazy::Lazy;
use crate::token::{Dictionary, TokenClass, join};
use std::ops::Range;
use std::sync::Arc;

pub(super) struct Segment {
    corpus: Arc<Corpus>,
    pub(super) grammar: Grammar,
    pub(super) texts: Texts,
    pub(super) offsets: RootOffsets,
    lines: Lazy<LineEnds>,
    occurrences: Lazy<Occurrences>,
    counts: Lazy<WordCounts>,
    word_offsets: Lazy<WordOffsets>,
    /// Counts the symbols read for lack of an index.
    without_index: Patience,
}

/// An index is built once as many symbols have been read as this many grammars of the same size have:
/// building it takes about as long.
const SCANS_AN_INDEX: u64 = 32;

impl Segment {
    pub(super) fn load(corpus: &Arc<Corpus>, number: usize) -> Result<Self, OpenError> {
        let dictionary = corpus.dictionary()?;
        let grammar = corpus.segment_by(number, corpus.pool_threads_a_segment())?;
        let texts = Texts::new(&grammar, dictionary);
        let offsets = RootOffsets::new(&grammar, &texts, dictionary);
        let segment = Self {
            corpus: Arc::clone(corpus),
            grammar,
            texts,
            offsets,
            lines: Lazy::default(),
            occurrences: Lazy::default(),
            counts: Lazy::default(),
            word_offsets: Lazy::default(),
            without_index: Patience::default(),
        };
        segment.check_sizes(number)?;
        Ok(segment)
    }

    /// Refuses sizes in the document table that differ from the text: offsets are checked against them.
    fn check_sizes(&self, number: usize) -> Result<(), OpenError> {
        let (table, facts) = (self.corpus.documents()?, &self.corpus.facts().segments[number]);
        for document in 0..self.documents() {
            let whole = facts.first_document as usize + document;
            let (len, size) = (self.document_len(document), table.known_size(whole));
            let is_whole = self.corpus.known_pieces(whole).take(2).count() == 1;
            if len > size || is_whole && len < size {
                let what = format!("document {whole} expands to {len} bytes, its size is {size}");
                return Err(self.corpus.inconsistent(SectionKind::Documents, 0, what));
            }
        }
        Ok(())
    }

    pub(super) fn dictionary(&self) -> &Dictionary {
        self.corpus.dictionary().expect("it was read before the segment")
    }

    pub(super) fn documents(&self) -> usize {
        self.grammar.doc_count()
    }

    /// The length in bytes of the piece of a document in this segment.
    pub(super) fn document_len(&self, document: usize) -> u64 {
        self.offsets.document_len(document)
    }

    /// A document's range of the root.
    pub(super) fn root_range(&self, document: usize) -> Range<usize> {
        let starts = self.grammar.doc_starts();
        starts[document] as usize..starts[document + 1] as usize
    }

    #[inline]
    pub(super) fn len_of(&self, symbol: Symbol) -> u64 {
        // Called for every symbol; fetching the dictionary takes longer than this look-up.
        match self.texts.ready_len(symbol) {
            Some(len) => len,
            None => self.texts.len(symbol, &self.grammar, self.dictionary()),
        }
    }

    /// Appends up to `len` bytes of a document from `offset` on.
    pub(super) fn extract(&self, document: usize, offset: u64, len: usize, out: &mut Vec<u8>) {
        let dictionary = self.dictionary();
        let RootPlace { at, offset: before, mut last } =
            self.offsets.before_offset(&self.grammar, &self.texts, document, offset);
        let mut skip = offset - before;
        let full = out.len() + len;
        // The rest of the document and of the rules that are being expanded.
        let mut pending = Vec::new();
        let mut symbols = &self.grammar.root()[at..self.root_range(document).end];
        loop {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let (first, last_of_this) = self.texts.ends(symbol);
                let gap = join(last, first);
                let own = self.texts.len(symbol, &self.grammar, dictionary);
                if skip >= gap.len() as u64 + own {
                    skip -= gap.len() as u64 + own;
                    last = last_of_this;
                    continue;
                }
                let text = match (self.texts.ready(symbol), self.grammar.as_rule(symbol)) {
                    (Some(text), _) => text,
                    (None, None) => dictionary.bytes(symbol),
                    (None, Some(rule)) => {
                        pending.push(rest);
                        symbols = self.grammar.rule(rule);
                        continue;
                    }
                };
                last = last_of_this;
                for part in [gap, text] {
                    let skipped = skip.min(part.len() as u64) as usize;
                    skip -= skipped as u64;
                    let end = part.len().min(skipped + (full - out.len()));
                    out.extend_from_slice(&part[skipped..end]);
                }
                if out.len() == full {
                    return;
                }
            }
            match pending.pop() {
                None => return,
                Some(rest) => symbols = rest,
            }
        }
    }

    /// Calls `found` with every token of `symbols` and its offset in their text, in order. Rules that
    /// `enter` rejects are skipped.
    pub(super) fn walk<'a>(
        &'a self,
        mut symbols: &'a [Symbol],
        enter: impl Fn(usize) -> bool,
        mut found: impl FnMut(u32, u64),
    ) {
        let (mut offset, mut last) = (0u64, TokenClass::Separator);
        let mut pending = Vec::new();
        loop {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let rule = self.grammar.as_rule(symbol);
                if let Some(rule) = rule
                    && enter(rule)
                {
                    pending.push(rest);
                    symbols = self.grammar.rule(rule);
                    continue;
                }
                let (first, last_of_this) = self.texts.ends(symbol);
                offset = offset.saturating_add(join(last, first).len() as u64);
                if rule.is_none() {
                    found(symbol, offset);
                }
                offset = offset.saturating_add(self.len_of(symbol));
                last = last_of_this;
            }
            match pending.pop() {
                None => return,
                Some(rest) => symbols = rest,
            }
        }
    }

    /// Number of line ends in a document.
    pub(super) fn line_ends(&self, document: usize) -> u64 {
        self.lines().in_document(document)
    }

    /// Number of line ends in the first `offset` bytes of a document.
    pub(super) fn line_ends_before(&self, document: usize, offset: u64) -> u64 {
        self.lines().before(self, document, offset)
    }

    /// The offset after line end number `number`, counted from 1; the document must have that many.
    pub(super) fn after_line_end(&self, document: usize, number: u64) -> u64 {
        self.lines().after(self, document, number)
    }

    fn lines(&self) -> &LineEnds {
        self.lines.get(|| LineEnds::new(&self.grammar, self.dictionary()))
    }

    pub(super) fn occurrences(&self) -> &Occurrences {
        let text_bytes = self.offsets.document_start(self.documents());
        self.occurrences_within(Limits::of(&self.grammar, text_bytes))
    }

    /// The same; builds it with these limits if necessary.
    pub(super) fn occurrences_within(&self, limits: Limits) -> &Occurrences {
        let new = || Occurrences::new(&self.grammar, &self.texts, self.dictionary(), limits);
        self.occurrences.get(new)
    }

    /// The index, if it is built or worth building now. Otherwise another pass over the rules and this
    /// many symbols of the root is cheaper.
    pub(super) fn occurrences_if_worth_it(&self, root_symbols: usize) -> Option<&Occurrences> {
        match self.occurrences.made() {
            None if self.may_scan(root_symbols) => None,
            _ => Some(self.occurrences()),
        }
    }

    pub(super) fn has_occurrences(&self) -> bool {
        self.occurrences.made().is_some()
    }

    /// Whether one more pass over the rules and this many symbols of the root is cheaper than an index.
    fn may_scan(&self, root_symbols: usize) -> bool {
        let (all, root) = (self.grammar.symbols().len(), self.grammar.root().len());
        let pass = all - root + root_symbols;
        self.without_index.spend(pass as u64, SCANS_AN_INDEX * all as u64)
    }

    /// How often a word occurs in a document of this segment, whose number is `segment`.
    pub(super) fn count(
        &self,
        segment: usize,
        document: usize,
        word: u32,
    ) -> Result<u64, OpenError> {
        let is_at_hand = self.counts.made().is_some() || self.corpus.has_word_counts(segment);
        if !is_at_hand && self.may_scan(self.root_range(document).len()) {
            return Ok(self.count_by_scan(word, document));
        }
        Ok(self.counts(segment)?.get(document, word))
    }

    /// Where words are, by their numbers.
    pub(super) fn word_offsets(&self) -> &WordOffsets {
        let first_word = self.dictionary().words().start;
        self.word_offsets.get(|| WordOffsets::new(&self.grammar, first_word))
    }

    /// Bytes between the symbols at two places of one right-hand side.
    pub(super) fn distance(&self, places: Range<usize>) -> u64 {
        let symbols = self.grammar.symbols();
        places.fold(0, |sum: u64, at| {
            let (_, last) = self.texts.ends(symbols[at]);
            let (first, _) = self.texts.ends(symbols[at + 1]);
            let gap = join(last, first).len() as u64;
            sum.wrapping_add(self.len_of(symbols[at])).wrapping_add(gap)
        })
    }

    /// How often each word occurs in each document: from the file, or counted if it has no index.
    pub(super) fn counts(&self, number: usize) -> Result<&WordCounts, OpenError> {
        self.counts.try_get(|| match self.corpus.word_counts(number)? {
            Some(counts) => Ok(counts),
            None => Ok(WordCounts::new(&self.grammar, self.dictionary())),
        })
    }
}
