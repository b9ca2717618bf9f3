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

/// Words in a buffer: few enough to stay in the nearest cache.
const BUFFER: usize = 1 << 12;

/// Entries fetched at once, before any is looked at.
const FETCHED: usize = 128;

/// In documents of fewer symbols, against the grammar's, distinct ones are too far apart.
const SPARSE: usize = 16;

/// The words of short rules.
pub(crate) struct Spelling {
    /// What each symbol stands for. Fetching it is what takes time, so it is one number.
    entries: Vec<Entry>,
    /// Bits of a word in an entry.
    width: u32,
    /// The words of rules that have more than fit in an entry.
    words: Vec<u32>,
}

/// A symbol's words, in 64 bits. The highest four tell how many words stand in the others; or they
/// are [`SPAN`], and the others the place and number of words written out; or [`LONG`].
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

    fn tag(self) -> usize {
        (self.0 >> TAG) as usize
    }

    /// The words in it; what is beyond their number means nothing.
    #[inline(always)]
    fn words(self, width: u32) -> [u32; FEW] {
        let mask = (1u64 << width) - 1;
        std::array::from_fn(|at| (self.0.wrapping_shr(at as u32 * width) & mask) as u32)
    }
}

impl Spelling {
    /// Writes out short rules; `numbers` gives each token's word, or [`NO_WORD`].
    pub(crate) fn new(grammar: &Grammar, numbers: &[u32]) -> Self {
        let rules = grammar.rule_count();
        let bodies = grammar.symbols().len() - grammar.root().len();
        let most_words = (WRITTEN_OUT * bodies).min(u32::MAX as usize);
        let highest = numbers.iter().filter(|&&word| word != NO_WORD).max().copied().unwrap_or(0);
        let width = (u32::BITS - highest.leading_zeros()).max(TAG / FEW as u32);
        let most_few = (TAG / width) as usize;

        let mut entries = Vec::with_capacity(grammar.tokens() as usize + rules);
        entries.extend(numbers.iter().map(|&number| match number {
            NO_WORD => Entry::few(&[], width),
            word => Entry::few(&[word], width),
        }));
        entries.resize(grammar.tokens() as usize + rules, Entry((LONG as u64) << TAG));
        let mut spelling = Self { entries, width, words: Vec::new() };
        let mut own = Vec::new();
        for rule in (1..rules).rev() {
            own.clear();
            let symbols = grammar.rule(rule).iter();
            if !symbols.copied().all(|symbol| spelling.put_short(symbol, &mut own)) {
                continue;
            }
            let entry = &mut spelling.entries[grammar.tokens() as usize + rule];
            if own.len() <= most_few {
                *entry = Entry::few(&own, width);
            } else if spelling.words.len() + own.len() <= most_words {
                *entry = Entry::span(spelling.words.len(), own.len());
                spelling.words.extend_from_slice(&own);
            }
        }
        spelling
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

    /// Hands the words that `symbols` stand for to `sink`, a buffer full at a time.
    ///
    /// Nearly all symbols stand for few words, and where those lie is hard to foresee for caches and
    /// branch predictors alike. So entries are fetched in a loop of its own, where none waits for
    /// another; and a fixed number of words is copied whether they are wanted or not.
    pub(crate) fn spell(
        &self,
        grammar: &Grammar,
        symbols: &[Symbol],
        mut sink: impl FnMut(&[u32]),
    ) {
        let mut buffer = [0u32; BUFFER + SHORT];
        let mut filled = 0;
        let mut fetched = [Entry(0); FETCHED];
        for symbols in symbols.chunks(FETCHED) {
            for (entry, &symbol) in fetched.iter_mut().zip(symbols) {
                *entry = self.entries[symbol as usize];
            }
            for (&entry, &symbol) in fetched.iter().zip(symbols) {
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
                        self.spell_long(grammar, symbol, &mut sink);
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

    /// Hands each word that `symbols` stand for to `sink` with a number of times; words come in no
    /// order, and more than once.
    ///
    /// In a document that is long for its grammar, symbols are counted first and only distinct ones
    /// looked up, in order: fetching their words is what takes time, adding one to a counter is not.
    pub(crate) fn tally(
        &self,
        grammar: &Grammar,
        symbols: &[Symbol],
        uses: &mut Uses,
        mut sink: impl FnMut(u32, u64),
    ) {
        if symbols.len() < self.entries.len() / SPARSE {
            return self.spell(grammar, symbols, |words| {
                words.iter().for_each(|&word| sink(word, 1));
            });
        }
        uses.count(symbols, self.entries.len());
        let mut words = [0u32; MET * FEW + FEW];
        let mut each = [0u32; MET * FEW + FEW];
        let mut fetched = [Entry(0); MET];
        uses.drain(|met| {
            for (entry, &(symbol, _)) in fetched.iter_mut().zip(met) {
                *entry = self.entries[symbol as usize];
            }
            let mut filled = 0;
            for (&entry, &(symbol, times)) in fetched.iter().zip(met) {
                match entry.tag() {
                    LONG | SPAN => self.spell_long(grammar, symbol, &mut |words: &[u32]| {
                        words.iter().for_each(|&word| sink(word, u64::from(times)));
                    }),
                    few => {
                        words[filled..filled + FEW].copy_from_slice(&entry.words(self.width));
                        each[filled..filled + FEW].copy_from_slice(&[times; FEW]);
                        filled += few;
                    }
                }
            }
            for (&word, &times) in words[..filled].iter().zip(&each) {
                sink(word, u64::from(times));
            }
        });
    }

    /// The words of a symbol that may not have been written out.
    fn spell_long(&self, grammar: &Grammar, symbol: Symbol, sink: &mut impl FnMut(&[u32])) {
        let entry = self.entries[symbol as usize];
        if entry.tag() == SPAN {
            return sink(self.written_out(entry));
        }
        let first = [symbol];
        // Symbols still to come, of each rule that is being spelled.
        let mut pending: Vec<&[Symbol]> = vec![&first];
        while let Some(mut symbols) = pending.pop() {
            while let Some((&symbol, rest)) = symbols.split_first() {
                symbols = rest;
                let entry = self.entries[symbol as usize];
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

/// How often symbols stand in a document.
#[derive(Debug, Default)]
pub(crate) struct Uses {
    /// By symbol, modulo [`FULL`]; all zero between documents. Bytes, so that they stay in cache.
    counts: Vec<u8>,
    /// Symbols whose counts came round to zero, each as often.
    full: Vec<Symbol>,
}

/// Uses at which a count comes round to zero.
const FULL: u32 = 1 << u8::BITS;

/// Symbols that are handed out together.
const MET: usize = 128;

/// Counts that are looked at together.
const TOGETHER: usize = size_of::<u64>();

impl Uses {
    /// Counts a document's symbols, which are below `most`.
    fn count(&mut self, symbols: &[Symbol], most: usize) {
        self.counts.resize(most.next_multiple_of(TOGETHER), 0);
        for &symbol in symbols {
            let count = &mut self.counts[symbol as usize];
            *count = count.wrapping_add(1);
            if *count == 0 {
                self.full.push(symbol);
            }
        }
    }

    /// Hands out the symbols that were met, mostly rising, each with a number of times, up to
    /// [`MET`] at once; some come more than once.
    fn drain(&mut self, mut sink: impl FnMut(&[(Symbol, u32)])) {
        let mut met = [(0, 0); MET];
        let mut filled = 0;
        for (start, counts) in (0..).step_by(TOGETHER).zip(self.counts.as_chunks_mut().0) {
            let mut left = u64::from_le_bytes(*counts);
            if left == 0 {
                continue;
            }
            *counts = [0; TOGETHER];
            if filled + TOGETHER > MET {
                sink(&met[..filled]);
                filled = 0;
            }
            while left != 0 {
                let place = left.trailing_zeros() / u8::BITS;
                let times = (left >> (place * u8::BITS)) as u8;
                left &= !(0xFF << (place * u8::BITS));
                met[filled] = (start + place, u32::from(times));
                filled += 1;
            }
        }
        sink(&met[..filled]);
        self.full.drain(..).for_each(|symbol| sink(&[(symbol, FULL)]));
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
            let spelling = Spelling::new(&grammar, &numbers);
            let expected: Vec<u32> = ids
                .iter()
                .map(|&id| numbers[id as usize])
                .filter(|&number| number != NO_WORD)
                .collect();
            let mut found = Vec::new();
            spelling.spell(&grammar, grammar.document(0), |words| found.extend_from_slice(words));
            prop_assert_eq!(&found, &expected);
            let (mut found, mut uses) = ([0; 7], Uses::default());
            for times in 1..3 {
                spelling.tally(&grammar, grammar.document(0), &mut uses, |word, times| {
                    found[word as usize] += times;
                });
                for (word, &found) in (0..).zip(&found) {
                    let once = expected.iter().filter(|&&other| other == word).count() as u64;
                    prop_assert_eq!(found, times * once);
                }
            }
        }
    }

    #[test]
    fn uses_beyond_a_byte_are_counted() {
        let times = |symbol: u32| symbol * 170;
        let symbols: Vec<u32> =
            (0..5).flat_map(|symbol| vec![symbol; times(symbol) as usize]).collect();
        let mut uses = Uses::default();
        for _ in 0..2 {
            let mut found = [0; 5];
            uses.count(&symbols, 5);
            uses.drain(|met| {
                met.iter().for_each(|&(symbol, times)| found[symbol as usize] += times);
            });
            assert_eq!(found, [0, 170, 340, 510, 680]);
        }
        let full: Vec<u32> = vec![3; 2 * FULL as usize];
        uses.count(&full, 5);
        let mut found = Vec::new();
        uses.drain(|met| found.extend_from_slice(met));
        assert_eq!(found, [(3, FULL), (3, FULL)]);
    }
}
