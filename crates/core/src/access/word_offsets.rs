//! From the number of a word in a segment to its offset in a document.

use super::segment::Segment;
use crate::grammar::Grammar;
use crate::phrases::word_counts;
use crate::token::{TokenClass, join};

/// Symbols of the root between samples.
const STEP: usize = 64;

/// How many words there are before symbols of the root, and in each rule.
pub(super) struct WordOffsets {
    first_word: u32,
    /// Words before every so many symbols of the root.
    samples: Vec<u64>,
    rules: Vec<u64>,
}

/// A word in a piece of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordOffset {
    /// The document, by its number in the segment.
    pub(super) document: usize,
    /// Its offset in the piece of the document.
    pub(super) offset: u64,
    /// Its token.
    pub(super) token: u32,
}

impl WordOffsets {
    /// Tokens below `first_word` are separators.
    pub(super) fn new(grammar: &Grammar, first_word: u32) -> Self {
        let rules = word_counts(grammar, first_word);
        let mut offsets = Self { first_word, samples: Vec::new(), rules };
        let mut words = 0u64;
        for (at, &symbol) in grammar.root().iter().enumerate() {
            if at % STEP == 0 {
                offsets.samples.push(words);
            }
            words = words.saturating_add(offsets.words_of(grammar, symbol));
        }
        offsets
    }

    fn words_of(&self, grammar: &Grammar, symbol: u32) -> u64 {
        match grammar.as_rule(symbol) {
            Some(rule) => self.rules[rule],
            None => u64::from(symbol >= self.first_word),
        }
    }

    /// The word with this number, from 0; `None` if the segment has fewer.
    pub(super) fn find(&self, segment: &Segment, word: u32) -> Option<WordOffset> {
        let (grammar, word) = (&segment.grammar, u64::from(word));
        let root = grammar.root();
        let sample = self.samples.partition_point(|&before| before <= word).checked_sub(1)?;
        let (mut at, mut left) = (sample * STEP, word - self.samples[sample]);
        loop {
            let words = self.words_of(grammar, *root.get(at)?);
            if left < words {
                break;
            }
            left -= words;
            at += 1;
        }
        let document = grammar.doc_starts().partition_point(|&start| start as usize <= at) - 1;
        let mut place = segment.offsets.before_place(grammar, &segment.texts, document, at);
        while place.at < at {
            place.pass(root[place.at], segment);
        }
        let (mut offset, mut last) = (place.offset, place.last);
        let mut symbols = &root[at..];
        loop {
            let (&symbol, rest) = symbols.split_first()?;
            let (first, last_of_this) = segment.texts.ends(symbol);
            offset = offset.saturating_add(join(last, first).len() as u64);
            let words = self.words_of(grammar, symbol);
            if left >= words {
                left -= words;
                offset = offset.saturating_add(segment.len_of(symbol));
                (last, symbols) = (last_of_this, rest);
                continue;
            }
            let Some(rule) = grammar.as_rule(symbol) else {
                return Some(WordOffset { document, offset, token: symbol });
            };
            // The space before a rule is the one before its first symbol.
            (last, symbols) = (TokenClass::Separator, grammar.rule(rule));
        }
    }
}
