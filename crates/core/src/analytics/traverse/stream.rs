//! Stream: a document's words one after the other.
//!
//! On text that hardly repeats, a document reaches nearly as many symbols through rules as it has
//! words, and going over the words themselves is faster: no weights, no bitmaps, no random access.
//! Rules that stand for few words are written out once, words only; a document is then spelled by
//! going through its slice of the root and taking short stretches of words from there.

use crate::analytics::words::NO_WORD;
use crate::byte_counts::{ByteCounts, TOGETHER};
use crate::corpus::{Cursor, Documents};
use crate::error::Error;
use crate::grammar::{Grammar, Symbol};

/// Rules up to this many words are written out.
const SHORT: usize = 256;

/// Written out, rules take at most this many words for each symbol they have.
const WRITTEN_OUT: usize = 8;

/// Words in a buffer: few enough to stay in the nearest cache.
const BUFFER: usize = 1 << 12;

/// Entries fetched at once, before any is looked at.
const FETCHED: usize = 128;

/// In documents of fewer symbols, against the grammar's, distinct ones are too far apart.
const SPARSE: usize = 16;

/// The words of short rules.
pub(crate) struct ExpandedRules {
    /// What each number of a document stands for (see [`Documents::read`]). Fetching it is what takes
    /// time, so it is one number.
    entries: Vec<Entry>,
    /// The same by symbol, if that is another order and there are rules to be gone through.
    by_symbol: Vec<Entry>,
    /// Bits of a word in an entry.
    width: u32,
    /// The words of rules that have more than fit in an entry.
    words: Vec<u32>,
}

/// What a reader of streams writes to.
#[derive(Debug, Default)]
pub(crate) struct StreamScratch {
    cursor: Cursor,
    /// How often symbols stand in a document.
    uses: ByteCounts,
}

/// A symbol's words, in 64 bits. The highest four tell how many words stand in the others; or they
/// are [`SPAN`], and the others the place and number of words written out; or [`LONG`], and the others
/// the symbol.
#[derive(Clone, Copy, Debug)]
struct Entry(u64);

/// Where the number of words stands in an entry.
const TAG: u32 = 60;
/// Words in an entry, at most.
const FEW: usize = 4;
/// The words are written out elsewhere.
const SPAN: usize = 14;
/// The words were not written out.
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

    /// The symbol of a [`LONG`] one.
    fn symbol(self) -> Symbol {
        self.0 as u32
    }

    /// The words in it; what is beyond their number means nothing.
    #[inline(always)]
    fn words(self, width: u32) -> [u32; FEW] {
        let mask = (1u64 << width) - 1;
        std::array::from_fn(|at| (self.0.wrapping_shr(at as u32 * width) & mask) as u32)
    }
}

impl ExpandedRules {
    /// Writes out short rules; `numbers` gives each token's word, or [`NO_WORD`].
    pub(crate) fn new(documents: Documents<'_>, numbers: &[u32]) -> Self {
        let grammar = documents.grammar();
        let rules = grammar.rule_count();
        let most_words = (WRITTEN_OUT * documents.rules_len()).min(u32::MAX as usize);
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

    /// What a symbol of a rule stands for.
    fn entry_of(&self, symbol: Symbol) -> Entry {
        let entries = if self.by_symbol.is_empty() { &self.entries } else { &self.by_symbol };
        entries[symbol as usize]
    }

    /// Appends the words of a symbol that were written out; false if that would be too many.
    fn put_short(&self, symbol: Symbol, words: &mut Vec<u32>) -> bool {
        let entry = self.entries[symbol as usize];
        match entry.tag() {
            LONG => return false,
            SPAN => words.extend_from_slice(self.written_out(entry)),
            few => words.extend_from_slice(&entry.words(self.width)[..few]),
        }
        words.len() <= SHORT
    }

    fn written_out(&self, span: Entry) -> &[u32] {
        let (start, len) = (span.0 as u32 as usize, (span.0 >> 32 & 0xFFF) as usize);
        &self.words[start..start + len]
    }

    /// Hands the words that numbers of a document stand for to `sink`, a buffer full at a time.
    ///
    /// Nearly all symbols stand for few words, and where those lie is hard to foresee for caches and
    /// branch predictors alike. So entries are fetched in a loop of its own, where none waits for
    /// another; and a fixed number of words is copied whether they are wanted or not.
    pub(crate) fn spell(&self, grammar: &Grammar, numbers: &[u32], mut sink: impl FnMut(&[u32])) {
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
                        let words = self.written_out(entry);
                        buffer[filled..filled + words.len()].copy_from_slice(words);
                        filled += words.len();
                    }
                    LONG => {
                        sink(&buffer[..filled]);
                        filled = 0;
                        self.spell_long(grammar, entry, &mut sink);
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

    /// Hands the words of a document to `sink`, a stretch at a time, in order.
    pub(crate) fn read(
        &self,
        documents: Documents<'_>,
        document: usize,
        reading: &mut StreamScratch,
        mut sink: impl FnMut(&[u32]),
    ) -> Result<(), Error> {
        documents.read(document, &mut reading.cursor, |numbers| {
            self.spell(documents.grammar(), numbers, &mut sink);
        })
    }

    /// Hands each word of a document to `sink` with a number of times; words come in no order, and more
    /// than once.
    ///
    /// In a document that is long for its grammar, symbols are counted first and only distinct ones
    /// looked up, in order: fetching their words is what takes time, adding one to a counter is not.
    pub(crate) fn tally(
        &self,
        documents: Documents<'_>,
        document: usize,
        reading: &mut StreamScratch,
        mut sink: impl FnMut(u32, u64),
    ) -> Result<(), Error> {
        let StreamScratch { cursor, uses } = reading;
        let grammar = documents.grammar();
        if !Self::is_dense_in(grammar, documents.len(document)) {
            return documents.read(document, cursor, |numbers| {
                self.spell(grammar, numbers, |words| words.iter().for_each(|&word| sink(word, 1)));
            });
        }
        uses.make_room(self.entries.len());
        documents.read(document, cursor, |numbers| {
            numbers.iter().for_each(|&number| uses.add(number, 1));
        })?;
        self.drain(grammar, uses, sink);
        Ok(())
    }

    /// Hands the words of what was counted to `sink`.
    fn drain(&self, grammar: &Grammar, uses: &mut ByteCounts, mut sink: impl FnMut(u32, u64)) {
        let mut words = [0u32; TOGETHER * FEW + FEW];
        let mut each = [0u32; TOGETHER * FEW + FEW];
        let mut fetched = [Entry(0); TOGETHER];
        let mut others = [(Entry(0), 0); TOGETHER + 1];
        uses.drain(|met| {
            for (entry, &(number, _)) in fetched.iter_mut().zip(met) {
                *entry = self.entries[number as usize];
            }
            // Which symbols have many words cannot be foreseen: they are put aside without asking.
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
                self.spell_long(grammar, entry, &mut |words: &[u32]| {
                    words.iter().for_each(|&word| sink(word, u64::from(times)));
                });
            }
        });
    }

    /// Whether so many symbols of a grammar are counted before their words are looked up.
    pub(crate) fn is_dense_in(grammar: &Grammar, symbols: usize) -> bool {
        symbols >= (grammar.tokens() as usize + grammar.rule_count()) / SPARSE
    }

    /// The words of a symbol that has more than fit in its entry.
    fn spell_long(&self, grammar: &Grammar, entry: Entry, sink: &mut impl FnMut(&[u32])) {
        if entry.tag() == SPAN {
            return sink(self.written_out(entry));
        }
        let first = [entry.symbol()];
        // Symbols still to come, of each rule that is being spelled.
        let mut pending: Vec<&[Symbol]> = vec![&first];
        while let Some(mut symbols) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let entry = self.entry_of(symbol);
                match entry.tag() {
                    SPAN => sink(self.written_out(entry)),
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
    use crate::grammar::{GrammarBuilder, TokenDocs, repair::RePair};
    use crate::progress::Silent;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn documents_are_spelled_without_separators(
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
            expanded.spell(&grammar, grammar.document(0), |words| found.extend_from_slice(words));
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
