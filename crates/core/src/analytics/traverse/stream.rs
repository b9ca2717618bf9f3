//! Stream: a document's words one after the other.
//!
//! In text that hardly repeats, a document reaches nearly as many symbols through rules as it has
//! words. Reading the words one by one is faster then: no weights, no bitmaps, no random access.
//! Short rules are expanded once, without separators. The words of a document are then copied from
//! these expansions, symbol by symbol of its slice of the root.

use crate::analytics::words::NO_WORD;
use crate::byte_counts::{ByteCounts, TOGETHER};
use crate::corpus::{Cursor, Documents};
use crate::error::OpenError;
use crate::grammar::{Grammar, Symbol};

/// Rules of up to this many words are expanded.
const SHORT: usize = 256;

/// The most words of all expansions together, per symbol of the rules.
const WORDS_A_SYMBOL: usize = 8;

/// Words in a buffer: few enough for the first-level cache.
const BUFFER: usize = 1 << 12;

/// Entries to fetch before any is used.
const FETCHED: usize = 128;

/// A document with fewer symbols than the grammar's number divided by this is too sparse to count
/// its symbols first.
const SPARSE: usize = 16;

/// The words of short rules.
pub(crate) struct ExpandedRules {
    /// The words of each number in a document (see [`Documents::read`]). Fetching an entry takes
    /// most of the time, so an entry is one number.
    entries: Vec<Entry>,
    /// The same by symbol, if that order differs and some rules are not expanded.
    by_symbol: Vec<Entry>,
    /// Bits of a word in an entry.
    width: u32,
    /// The words of rules that do not fit in an entry.
    words: Vec<u32>,
}

/// What reading a stream writes to.
#[derive(Debug, Default)]
pub(crate) struct StreamScratch {
    cursor: Cursor,
    /// Counts of the symbols of a document.
    uses: ByteCounts,
}

/// A symbol's words, in 64 bits. The highest four bits are the number of words, which are in the
/// other bits; or [`SPAN`], and the other bits are the place and number of words in the table; or
/// [`LONG`], and the other bits are the symbol.
#[derive(Clone, Copy, Debug)]
struct Entry(u64);

/// Shift of the number of words in an entry.
const TAG: u32 = 60;
/// The most words in an entry.
const FEW: usize = 4;
/// The words are in the table.
const SPAN: usize = 14;
/// The rule was not expanded.
const LONG: usize = 15;

impl Entry {
    fn few(words: &[u32], width: u32) -> Self {
        let shifts = (0..TAG).step_by(width as usize);
        let bits: u64 = words.iter().zip(shifts).map(|(&word, at)| u64::from(word) << at).sum();
        Self(bits | (words.len() as u64) << TAG)
    }

    fn span(start: usize, len: usize) -> Self {
        Self((SPAN as u64) << TAG | (len as u64) << 32 | start as u64)
    }

    fn long(symbol: Symbol) -> Self {
        Self((LONG as u64) << TAG | u64::from(symbol))
    }

    fn tag(self) -> usize {
        (self.0 >> TAG) as usize
    }

    /// The symbol of a [`LONG`] entry.
    fn symbol(self) -> Symbol {
        self.0 as u32
    }

    /// The words in the entry; those beyond their number are meaningless.
    #[inline(always)]
    fn words(self, width: u32) -> [u32; FEW] {
        let mask = (1u64 << width) - 1;
        std::array::from_fn(|at| (self.0.wrapping_shr(at as u32 * width) & mask) as u32)
    }
}

impl ExpandedRules {
    /// Expands short rules; `numbers` has each token's word, or [`NO_WORD`].
    pub(crate) fn new(documents: Documents<'_>, numbers: &[u32]) -> Self {
        let grammar = documents.grammar();
        let rules = grammar.rule_count();
        let most_words = (WORDS_A_SYMBOL * documents.rules_len()).min(u32::MAX as usize);
        let highest = numbers.iter().filter(|&&word| word != NO_WORD).max().copied().unwrap_or(0);
        let width = (u32::BITS - highest.leading_zeros()).max(TAG / FEW as u32);
        let most_few = (TAG / width) as usize;

        let mut entries = Vec::with_capacity(grammar.tokens() as usize + rules);
        entries.extend(numbers.iter().map(|&number| match number {
            NO_WORD => Entry::few(&[], width),
            word => Entry::few(&[word], width),
        }));
        entries.extend((0..rules as u32).map(|rule| Entry::long(grammar.tokens() + rule)));
        let mut expanded = Self { entries, by_symbol: Vec::new(), width, words: Vec::new() };
        let mut has_long = false;
        let mut own = Vec::new();
        for rule in (1..rules).rev() {
            own.clear();
            let symbols = grammar.rule(rule).iter();
            if !symbols.copied().all(|symbol| expanded.put_short(symbol, &mut own)) {
                has_long = true;
                continue;
            }
            let entry = &mut expanded.entries[grammar.tokens() as usize + rule];
            if own.len() <= most_few {
                *entry = Entry::few(&own, width);
            } else if expanded.words.len() + own.len() <= most_words {
                *entry = Entry::span(expanded.words.len(), own.len());
                expanded.words.extend_from_slice(&own);
            } else {
                has_long = true;
            }
        }
        if let Some(symbol_of) = documents.symbol_of() {
            let entry = |&symbol: &Symbol| expanded.entries[symbol as usize];
            let in_order = symbol_of.iter().map(entry).collect();
            let by_symbol = std::mem::replace(&mut expanded.entries, in_order);
            expanded.by_symbol = if has_long { by_symbol } else { Vec::new() };
        }
        expanded
    }

    /// The entry of a symbol of a rule.
    fn entry_of(&self, symbol: Symbol) -> Entry {
        let entries = if self.by_symbol.is_empty() { &self.entries } else { &self.by_symbol };
        entries[symbol as usize]
    }

    /// Appends the words of a symbol; returns false if it was not expanded or there are too many.
    fn put_short(&self, symbol: Symbol, words: &mut Vec<u32>) -> bool {
        let entry = self.entries[symbol as usize];
        match entry.tag() {
            LONG => return false,
            SPAN => words.extend_from_slice(self.span_words(entry)),
            few => words.extend_from_slice(&entry.words(self.width)[..few]),
        }
        words.len() <= SHORT
    }

    fn span_words(&self, span: Entry) -> &[u32] {
        let (start, len) = (span.0 as u32 as usize, (span.0 >> 32 & 0xFFF) as usize);
        &self.words[start..start + len]
    }

    /// Expands numbers of a document and passes the words to `sink`, a buffer at a time.
    ///
    /// Nearly all symbols expand to few words, and neither caches nor branch predictors can predict
    /// which. So entries are fetched in a separate loop, where no load waits for another, and a
    /// fixed number of words is copied whether all are wanted or not.
    pub(crate) fn expand(&self, grammar: &Grammar, numbers: &[u32], mut sink: impl FnMut(&[u32])) {
        let mut buffer = [0u32; BUFFER + SHORT];
        let mut filled = 0;
        let mut fetched = [Entry(0); FETCHED];
        for numbers in numbers.chunks(FETCHED) {
            for (entry, &number) in fetched.iter_mut().zip(numbers) {
                *entry = self.entries[number as usize];
            }
            for &entry in &fetched[..numbers.len()] {
                if filled >= BUFFER {
                    sink(&buffer[..filled]);
                    filled = 0;
                }
                match entry.tag() {
                    SPAN => {
                        let words = self.span_words(entry);
                        buffer[filled..filled + words.len()].copy_from_slice(words);
                        filled += words.len();
                    }
                    LONG => {
                        sink(&buffer[..filled]);
                        filled = 0;
                        self.expand_long(grammar, entry, &mut sink);
                    }
                    few => {
                        buffer[filled..filled + FEW].copy_from_slice(&entry.words(self.width));
                        filled += few;
                    }
                }
            }
        }
        sink(&buffer[..filled]);
    }

    /// Passes the words of a document to `sink`, a stretch at a time, in order.
    pub(crate) fn read(
        &self,
        documents: Documents<'_>,
        document: usize,
        reading: &mut StreamScratch,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), OpenError> {
        documents.read(document, &mut reading.cursor, |numbers| {
            self.expand(documents.grammar(), numbers, &mut sink);
        })
    }

    /// Passes the words of a document to `sink`, each with a number of times. Words come in no
    /// order, and more than once.
    ///
    /// In a document that is long for its grammar, symbols are counted first, and only distinct
    /// ones are looked up, in order: incrementing a counter is cheap, fetching words is not.
    pub(crate) fn tally(
        &self,
        documents: Documents<'_>,
        document: usize,
        reading: &mut StreamScratch,
        mut sink: impl FnMut(u32, u64),
    ) -> Result<(), OpenError> {
        let StreamScratch { cursor, uses } = reading;
        let grammar = documents.grammar();
        if !Self::is_dense_in(grammar, documents.len(document)) {
            return documents.read(document, cursor, |numbers| {
                self.expand(grammar, numbers, |words| words.iter().for_each(|&word| sink(word, 1)));
            });
        }
        uses.make_room(self.entries.len());
        documents.read(document, cursor, |numbers| {
            numbers.iter().for_each(|&number| uses.add(number, 1));
        })?;
        self.drain(grammar, uses, sink);
        Ok(())
    }

    /// Passes the words of the counted symbols to `sink`.
    fn drain(&self, grammar: &Grammar, uses: &mut ByteCounts, mut sink: impl FnMut(u32, u64)) {
        let mut words = [0u32; TOGETHER * FEW + FEW];
        let mut each = [0u32; TOGETHER * FEW + FEW];
        let mut fetched = [Entry(0); TOGETHER];
        let mut others = [(Entry(0), 0); TOGETHER + 1];
        uses.drain(|met| {
            for (entry, &(number, _)) in fetched.iter_mut().zip(met) {
                *entry = self.entries[number as usize];
            }
            // A branch on whether a symbol has many words would be mispredicted: each is put aside,
            // and overwritten if it has few.
            let (mut filled, mut aside) = (0, 0);
            for (&entry, &(_, times)) in fetched.iter().zip(met) {
                let few = entry.tag();
                words[filled..filled + FEW].copy_from_slice(&entry.words(self.width));
                each[filled..filled + FEW].copy_from_slice(&[times; FEW]);
                others[aside] = (entry, times);
                filled += if few < SPAN { few } else { 0 };
                aside += usize::from(few >= SPAN);
            }
            for (&word, &times) in words[..filled].iter().zip(&each) {
                sink(word, u64::from(times));
            }
            for &(entry, times) in &others[..aside] {
                self.expand_long(grammar, entry, &mut |words: &[u32]| {
                    words.iter().for_each(|&word| sink(word, u64::from(times)));
                });
            }
        });
    }

    /// Whether a document of this many symbols is long enough to count symbols before their words
    /// are looked up.
    pub(crate) fn is_dense_in(grammar: &Grammar, symbols: usize) -> bool {
        symbols >= (grammar.tokens() as usize + grammar.rule_count()) / SPARSE
    }

    /// Passes the words of a symbol that do not fit in its entry to `sink`.
    fn expand_long(&self, grammar: &Grammar, entry: Entry, sink: &mut impl FnMut(&[u32])) {
        if entry.tag() == SPAN {
            return sink(self.span_words(entry));
        }
        let first = [entry.symbol()];
        // The symbols still to expand, of each rule on the way.
        let mut pending: Vec<&[Symbol]> = vec![&first];
        while let Some(mut symbols) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let entry = self.entry_of(symbol);
                match entry.tag() {
                    SPAN => sink(self.span_words(entry)),
                    LONG => {
                        if !rest.is_empty() {
                            pending.push(rest);
                        }
                        symbols = grammar.rule(grammar.as_rule(symbol).expect("a token is short"));
                    }
                    few => sink(&entry.words(self.width)[..few]),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grammar::{GrammarBuilder, TokenDocs, re_pair::RePair};
    use crate::progress::Silent;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_are_expanded_without_separators(
            phrase in proptest::collection::vec(0u32..6, 1..30),
            times in 1usize..200,
            noise in proptest::collection::vec(0u32..9, 0..300),
        ) {
            let ids: Vec<u32> = phrase.repeat(times).into_iter().chain(noise).collect();
            let doc_starts = [0, ids.len() as u32];
            let input = TokenDocs { tokens: 9, ids: &ids, doc_starts: &doc_starts };
            let grammar = RePair::default().build(input, &Silent).unwrap();
            let numbers = [5, NO_WORD, 3, 2, NO_WORD, 0, 1, 4, 6];
            let expanded = ExpandedRules::new((&grammar).into(), &numbers);
            let expected: Vec<u32> = ids
                .iter()
                .map(|&id| numbers[id as usize])
                .filter(|&number| number != NO_WORD)
                .collect();
            let mut found = Vec::new();
            expanded.expand(&grammar, grammar.document(0), |words| found.extend_from_slice(words));
            prop_assert_eq!(&found, &expected);
            let (mut found, mut reading) = ([0; 7], StreamScratch::default());
            for times in 1..3 {
                let add = |word: u32, times: u64| found[word as usize] += times;
                expanded.tally((&grammar).into(), 0, &mut reading, add).unwrap();
                for (word, &found) in (0..).zip(&found) {
                    let once = expected.iter().filter(|&&other| other == word).count() as u64;
                    prop_assert_eq!(found, times * once);
                }
            }
        }
    }
}
